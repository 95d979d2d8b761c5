// Where the rows of the signal editor stand, and which values their axes span.

const LEFT = 52;
const RIGHT = 14;
const HEAD = 17;
const GAP = 9;
const FOOT = 34;
const TRACE = 62;

// the values of a row with all that is drawn on it, but without bounds so far off that they would flatten it
function frame(model, row, values, isFree) {
  const seen = [...values, ...(row.frame ?? [])];
  for (const one of model.get("behind")) if (one.key === row.key) seen.push(...one.values);
  let [low, high] = [Math.min(...seen), Math.max(...seen)];
  if (high === low) [low, high] = [low - 1, high + 1];
  const span = high - low;
  const bounds = [];
  for (const one of model.get("thresholds")) if (one.key === row.key) bounds.push(one.value);
  for (const one of model.get("shapes")) if (one.key === row.key) bounds.push(...one.low, ...one.high);
  const near = bounds.filter((value) => value > low - span && value < high + span);
  [low, high] = [Math.min(low, ...near), Math.max(high, ...near)];
  const margin = (isFree ? 0.2 : 0.08) * (high - low); // room to pull a point out of its range
  return [low - margin, high + margin];
}

// `kept` are rows whose axes stay as they are: a scale holds still while one drags
function layOut(model, room, valuesOf, canEdit, kept) {
  const rows = model.get("rows");
  const width = clamp(room || 640, 320, 900);
  const height = rows.length > 3 ? 66 : 92;
  const n = rows.length ? rows[0].values.length : 0;
  let top = 0;
  const stand = (low, high, tall) => {
    const y0 = top + HEAD;
    top = y0 + tall + GAP;
    return { low, high, top: y0, bottom: y0 + tall, y: (value) => y0 + tall * (1 - (value - low) / (high - low)) };
  };
  const placed = rows.map((row) => {
    const before = kept.find((one) => one.key === row.key);
    const [low, high] = before ? [before.low, before.high] : frame(model, row, valuesOf(row), canEdit(row));
    return { ...row, ...stand(low, high, height) };
  });
  const traced = model.get("traces").map((trace) => {
    const size = Math.max(...trace.values.map(Math.abs), 1e-12);
    const [low, high] = [Math.min(0, ...trace.values), Math.max(0, ...trace.values)];
    return { ...trace, ...stand(low - 0.1 * size, high + 0.1 * size, TRACE) };
  });
  const x = (t) => LEFT + ((width - LEFT - RIGHT) * t) / Math.max(1, n - 1);
  return { width, height: top + FOOT - GAP, n, x, rows: placed, traces: traced, end: top - GAP };
}
