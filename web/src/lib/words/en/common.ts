/** Words that many screens use. */
export const common = {
  "app.name": "Golden Spike",
  "app.back": "Back",
  "app.close": "Close",
  "app.loading": "One moment …",
  "app.offline": "The server cannot be reached. Check your connection; this page tries again by itself.",
  "app.tryAgain": "Try again",
  "app.toStart": "To the start page",
  "app.reload": "Reload the page",
  "app.outdated": "This page is older than the server. Reload it to play on; nothing is lost.",
  "app.reconnecting": "Reconnecting …",
  "app.failed": "Something went wrong on this page: {message}",
  "error.bad_link": "This link opens no seat. Copy the whole link, or ask for it again.",
  "error.unknown_game": "This game is not here any more.",
} as const;
