// The print button exists only where a script can press it; the browser's own menu does the same.
"use strict";
(() => {
  const button = document.querySelector("[data-print]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => print());
})();
