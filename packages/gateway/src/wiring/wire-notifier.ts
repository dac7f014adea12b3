import type { Config } from '../config/config.ts'
import { createChannels } from '../notify/create-channels.ts'
import { Notifier } from '../notify/notifier.ts'
import type { Store } from '../store/store.ts'

interface NotifierWiring {
  readonly store: Store
  readonly config: () => Config
  /** Where the gateway listens; empty while it does not. */
  readonly url: () => string
  readonly untold: (line: string) => void
  readonly fault: (error: unknown) => void
}

export function wireNotifier({ store, config, url, untold, fault }: NotifierWiring): Notifier {
  return new Notifier({
    approvals: store.approvals,
    notifications: store.notifications,
    publicUrl: () => config().publicUrl ?? url(),
    createChannels: channel => createChannels(channel, { now: Date.now }),
    now: Date.now,
    random: Math.random,
    say: untold,
    onError: fault,
  })
}
