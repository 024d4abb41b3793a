// Where the page's own program cannot be loaded, say so and offer the way on.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    const show = () => {
      document.getElementById("broken").hidden = false;
      document.getElementById("reload").addEventListener("click", () => location.reload());
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", show);
    else show();
  },
  true,
);
