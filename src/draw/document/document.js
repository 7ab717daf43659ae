
(function () {
  "use strict";
  var rows = Array.prototype.slice.call(document.querySelectorAll(".run tbody tr"));
  var bar = document.querySelector(".stepping");
  if (!bar || rows.length === 0) return;
  var now = -1;
  var told = bar.querySelector("[role=status]");
  var marked = [];
  function clear() {
    marked.forEach(function (one) { one.classList.remove("now"); });
    marked = [];
  }
  function show(step, scrolls) {
    now = Math.max(0, Math.min(rows.length - 1, step));
    clear();
    var row = rows[now];
    var shown = [row, document.getElementById("L" + row.dataset.line),
      document.getElementById("box-" + row.dataset.box)];
    marked = shown.filter(Boolean);
    marked.forEach(function (one) { one.classList.add("now"); });
    told.textContent = "Step " + (now + 1) + " of " + rows.length + ", line " + row.dataset.line;
    if (scrolls) row.scrollIntoView({ block: "nearest" });
  }
  bar.hidden = false;
  if (bar.dataset.step) show(Number(bar.dataset.step), false);
  window.addEventListener("beforeprint", clear);
  bar.addEventListener("click", function (event) {
    var by = event.target.dataset.by;
    if (by) show(now + Number(by), false);
  });
  rows.forEach(function (row, step) {
    row.addEventListener("click", function (event) {
      if (event.target.tagName !== "A") show(step, false);
    });
  });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      show(now + (event.key === "ArrowRight" ? 1 : -1), true);
      event.preventDefault();
    }
  });
})();
