/** Calls a player whose page is in the background: by its title, its icon, the badge of an installed page, a notification. */
import { settings } from "../settings.svelte";
import { t } from "../words";

const ICON = "/icon.svg";
const ICON_TURN = "/icon-turn.svg";

/** Show in everything that is seen of a page in the background whether it is this player's turn. */
export function markTurn(isYours: boolean): void {
  document.title = isYours ? t("table.title", { app: t("app.name") }) : t("app.name");
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = isYours ? ICON_TURN : ICON;
  const badge = isYours ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  badge?.catch(() => {}); // only an installed page has a badge
}

/** Ask the browser whether notifications may be shown; the setting stays off if not. */
export async function allowNotifications(): Promise<boolean> {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** Show a notification if the page is in the background and the player wants one. */
export function notifyTurn(text: string): void {
  if (!settings.notifies || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(t("app.name"), { body: text, icon: ICON, tag: "turn" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones allow notifications only from a service worker; the title and the icon still show the turn.
  }
}
