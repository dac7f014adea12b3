import { api } from '../api/client.ts'

/**
 * Switches push messages on or off, if the gateway and the browser support them. Push messages also arrive while the
 * console is closed. Without them, notifications work only while the console is open.
 */
export async function switchPush(on: boolean): Promise<void> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return
  const { publicKey } = await api.getPush()
  if (publicKey === undefined) return
  const registration = await navigator.serviceWorker.register('/service-worker.js')
  const known = await registration.pushManager.getSubscription()
  if (!on) return known === null ? undefined : end(known)
  const subscription = known ?? (await subscribe(registration, publicKey))
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return
  await api.subscribePush({ body: { endpoint, keys: { p256dh, auth } } })
}

async function subscribe(
  registration: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  await navigator.serviceWorker.ready
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

async function end(subscription: PushSubscription): Promise<void> {
  await api.unsubscribePush({ body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}
