"""The dense model: linear in the robustness of many concepts."""
