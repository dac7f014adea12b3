import type { Approvals } from '../approvals/approvals.ts'
import { TextSealer } from '../base/text-sealer.ts'
import type { Config } from '../config/config.ts'
import { Answers } from '../notify/answers/answers.ts'
import { AnswerLinks } from '../notify/answers/links.ts'
import { createChannels } from '../notify/create-channels.ts'
import { AnswerDoor } from '../notify/door/answer-door.ts'
import { SlackDoor } from '../notify/door/slack-door.ts'
import { Notifier } from '../notify/notifier.ts'
import { PushSubscribers } from '../notify/web-push/push-subscribers.ts'
import { VapidKey } from '../notify/web-push/vapid.ts'
import type { Store } from '../store/store.ts'

interface NotifierWiring {
  readonly store: Store
  readonly key: Buffer
  readonly approvals: Approvals
  readonly config: () => Config
  /** The URL at which the gateway listens; empty until it does. */
  readonly url: () => string
  readonly untold: (line: string) => void
  readonly fault: (error: unknown) => void
}

/** Creates the notifier, which tells people about waiting calls and takes their answers. */
export function wireNotifier({ store, key, approvals, config, url, untold, fault }: NotifierWiring) {
  const now = Date.now
  const publicUrl = (): string => config().publicUrl ?? url()
  const channels = () => config().notify
  const answers = new Answers(approvals)
  const links = new AnswerLinks({ sealer: new TextSealer(key, 'answer links'), channels, publicUrl })
  const buttons = new TextSealer(key, 'chat buttons')
  const sealButton = (id: string, channel: string): string => buttons.seal(JSON.stringify([id, channel]))
  const slack = new SlackDoor({ answers, channels, sealer: buttons, now, onError: fault })
  const sealer = new TextSealer(key, 'browser push')
  const vapid = new VapidKey(store.secrets, sealer)
  const subscribers = new PushSubscribers({ store: store.pushSubscribers, sealer, vapid, channels, now })
  const parts = { now, links, sealButton, subscribers, vapid, publicUrl }
  const notifier = new Notifier({
    approvals: store.approvals,
    notifications: store.notifications,
    publicUrl,
    createChannels: channel => createChannels(channel, parts),
    now,
    random: Math.random,
    say: untold,
    onError: fault,
  })
  return { notifier, subscribers, door: new AnswerDoor({ answers, links, slack, publicUrl, now }) }
}
