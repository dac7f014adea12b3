// Shows messages about calls that wait for approval while the console is closed. The texts are plain text for the system.
self.addEventListener('push', event => {
  const { id, title, body } = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { body, tag: id, data: { id } }))
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(self.clients.openWindow(`/#/approvals/${encodeURIComponent(event.notification.data.id)}`))
})
