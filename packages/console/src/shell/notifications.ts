const KEY = 'hintgate.notifications'

export function canNotify(): boolean {
  return 'Notification' in window
}

export function wantsNotifications(): boolean {
  return canNotify() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'
}

/** Switches notifications on or off. Returns whether they are on now, because the browser can block them. */
export async function switchNotifications(on: boolean): Promise<boolean> {
  if (!canNotify()) return false
  if (on && Notification.permission !== 'granted') await Notification.requestPermission()
  localStorage.setItem(KEY, on ? 'on' : 'off')
  return wantsNotifications()
}
