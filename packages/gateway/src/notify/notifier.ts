import type { NotifyConfig, NotifyFilter } from '../config/build-notify.ts'
import { matchesGlob } from '../scope/match-scope.ts'
import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import type { NotificationKey, NotificationKind, NotificationStore } from '../store/notification-store.ts'
import { DeliveryQueue, type JobEnd } from './delivery-queue.ts'
import type { Channel } from './message/channel.ts'
import { endingOf, type Message, writeMessage } from './message/message.ts'

interface NotifierDeps {
  readonly approvals: Pick<ApprovalStore, 'find' | 'listPending'>
  readonly notifications: NotificationStore
  readonly publicUrl: () => string
  readonly createChannels: (config: NotifyConfig) => Promise<readonly Channel[]>
  readonly now: () => number
  readonly random: () => number
  readonly say: (line: string) => void
  readonly onError: (error: unknown) => void
}

/** A channel with its queue, and the counts of its messages by result. */
interface Post {
  readonly channel: Channel
  readonly queue: DeliveryQueue
  readonly counts: Counts
}

/** Numbers of messages since the process started. */
type Counts = Record<'sent' | 'failed' | 'retried' | 'lost', number>

export interface ChannelMeasure extends Readonly<Counts> {
  readonly channel: string
  readonly waiting: number
}

interface Open {
  readonly message: Message
  /** For each channel (by key), the time at which it sends a message about the approval. */
  readonly due: Map<string, number>
}

/** Maximum number of open approvals to follow. It is higher than the number that can be open at once. */
const MOST_OPEN = 10_000
const MOST_FAILED = 200
/**
 * A process claims a message for this long, which is longer than any attempt takes. After that, another process can
 * send it.
 */
const LEASE_MS = 60_000
const ATTEMPT_MS = 20_000
/**
 * How often to look for approvals that other processes created. Such a process might have been killed before it sent
 * its messages.
 */
const SWEEP_MS = 15_000
/** Used as the current time in queries, so that approvals that have expired are included. */
const ANY_TIME = 0

/**
 * Sends messages to people when a call waits for their approval, and when the approval has ended. The state is in the
 * store, so that another replica, or this one after a restart, can continue. Calls never wait for messages.
 */
export class Notifier {
  readonly #deps: NotifierDeps
  readonly #open = new Map<string, Open>()
  #posts: ReadonlyMap<string, Post> = new Map()
  #configs: readonly NotifyConfig[] = []
  #timer: NodeJS.Timeout | undefined
  /** Runs all work in order, so that a change of the config never overtakes a message. */
  #work: Promise<void> = Promise.resolve()
  #isLookDue = false
  #isClosed = false

  constructor(deps: NotifierDeps) {
    this.#deps = deps
  }

  /** Applies a changed config. Messages that are waiting are released and claimed again by the new queues. */
  configure(configs: readonly NotifyConfig[]): void {
    if (JSON.stringify(configs) === JSON.stringify(this.#configs)) return
    this.#configs = configs
    this.#do(() => this.#reconfigure(configs))
  }

  /** Called when an approval is created, while the call waits. It only starts the work, to return quickly. */
  asked(approval: StoredApproval): void {
    if (this.#configs.length === 0 || this.#isClosed) return
    if (this.#open.size >= MOST_OPEN)
      return this.#deps.say(
        `notify: too many approvals are open, so no message about ${approval.id} was sent`,
      )
    this.#do(() => this.#consider(approval))
  }

  /** Called whenever an approval might have been created or decided, here or in another process. */
  look(): void {
    if (this.#configs.length === 0 || this.#isLookDue) return
    this.#isLookDue = true
    this.#do(async () => {
      this.#isLookDue = false
      await this.#findClosed()
      await this.#sweep()
    })
  }

  measures(): readonly ChannelMeasure[] {
    return [...this.#posts].map(([channel, { queue, counts }]) => ({
      channel,
      waiting: queue.size,
      ...counts,
    }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#work
    await Promise.all([...this.#posts.values()].map(({ queue }) => queue.close({ isStopping: true })))
  }

  #do(task: () => Promise<void>): void {
    this.#work = this.#work.then(task).catch(this.#deps.onError)
  }

  async #reconfigure(configs: readonly NotifyConfig[]): Promise<void> {
    const { createChannels } = this.#deps
    const before = this.#posts
    const channels = (await Promise.all(configs.map(createChannels))).flat()
    this.#posts = new Map(
      channels.map(channel => [channel.key, this.#createPost(channel, before.get(channel.key))]),
    )
    await Promise.all([...before.values()].map(({ queue }) => queue.close({ isStopping: false })))
    this.#open.clear()
    await this.#sweep()
    await this.#closeMissed()
  }

  #createPost(channel: Channel, before: Post | undefined): Post {
    const { now, random, onError } = this.#deps
    const counts = before?.counts ?? { sent: 0, failed: 0, retried: 0, lost: 0 }
    const onRetry = (): void => {
      counts.retried += 1
    }
    return {
      channel,
      counts,
      queue: new DeliveryQueue({ retry: channel.retry, now, random, onError, onRetry }),
    }
  }

  /** Finds open approvals that were created by another process or before a restart. */
  async #sweep(): Promise<void> {
    const { approvals, now } = this.#deps
    if (this.#isClosed || this.#posts.size === 0) return
    for (const id of await approvals.listPending(now())) {
      if (this.#open.has(id) || this.#open.size >= MOST_OPEN) continue
      const found = await approvals.find(id)
      if (found !== undefined) await this.#consider(found)
    }
    this.#schedule()
  }

  async #consider(approval: StoredApproval): Promise<void> {
    if (this.#open.has(approval.id)) return
    const message = writeMessage(approval, this.#deps.publicUrl())
    const told = [...this.#posts.values()].filter(({ channel }) => matchesFilter(channel.filter, message))
    const due = new Map(told.map(({ channel }) => [channel.key, approval.createdAt + channel.afterMs]))
    this.#open.set(approval.id, { message, due })
    await this.#tellDue()
  }

  /** Sends all messages that are due. */
  async #tellDue(): Promise<void> {
    const now = this.#deps.now()
    for (const [id, { message, due }] of this.#open) {
      for (const [key, at] of due) {
        if (at > now || message.expiresAt <= now) continue
        due.delete(key)
        const again = await this.#tell({ approval: id, channel: key, kind: 'asked' }, message)
        if (again !== undefined) due.set(key, again)
      }
    }
    this.#schedule()
  }

  /**
   * Sends one message, unless another process has claimed it. Returns when to try again if that process is still
   * sending.
   */
  async #tell(key: NotificationKey, message: Message): Promise<number | undefined> {
    const { notifications, now } = this.#deps
    const post = this.#posts.get(key.channel)
    if (post === undefined || this.#isClosed) return undefined
    if (await notifications.claim(key, now(), now() + LEASE_MS)) {
      await this.#enqueue(key, post, message)
      return undefined
    }
    const known = await notifications.list(key.approval)
    const isSending = known.some(
      ({ channel, kind, state }) => channel === key.channel && kind === key.kind && state === 'sending',
    )
    return isSending ? now() + LEASE_MS : undefined
  }

  async #enqueue(key: NotificationKey, post: Post, message: Message): Promise<void> {
    const { notifications, now } = this.#deps
    let reference: string | undefined
    const isAdded = post.queue.add({
      until: key.kind === 'asked' ? message.expiresAt : Number.POSITIVE_INFINITY,
      send: async () => {
        await notifications.renew(key, now() + LEASE_MS)
        const result = await this.#send(key, post.channel)
        reference = result?.reference
        return result !== undefined
      },
      onWait: at => notifications.renew(key, at + LEASE_MS),
      onEnd: end => this.#end(key, post, { ...end, reference }),
      onRelease: () => notifications.renew(key, now()),
    })
    if (isAdded) return
    post.counts.lost += 1
    await this.#end(key, post, {
      state: 'failed',
      attempts: 0,
      error: 'too many messages are waiting for this channel',
    })
  }

  /** Makes one attempt to send a message. Returns undefined if the message is no longer needed. */
  async #send({ approval: id, kind, channel: key }: NotificationKey, channel: Channel) {
    const { approvals, notifications, now, publicUrl } = this.#deps
    const approval = await approvals.find(id)
    if (approval === undefined) return undefined
    const isOpen = approval.state === 'pending' && approval.expiresAt > now()
    const message = writeMessage(approval, publicUrl())
    const delivery = { id: `${id}.${kind}.${key}`, signal: AbortSignal.timeout(ATTEMPT_MS) }
    if (kind === 'asked') return isOpen ? { reference: await channel.announce(message, delivery) } : undefined
    const asked = (await notifications.list(id)).find(one => one.channel === key && one.kind === 'asked')
    await channel.close?.(message, endingOf(approval), { ...delivery, reference: asked?.reference })
    return { reference: undefined }
  }

  async #end(
    key: NotificationKey,
    { counts }: Post,
    end: JobEnd & { reference?: string | undefined },
  ): Promise<void> {
    const { notifications, now, say } = this.#deps
    await notifications.finish(key, { ...end, at: now() }, MOST_FAILED)
    if (end.state === 'sent') counts.sent += 1
    if (end.state === 'failed') {
      counts.failed += 1
      say(
        `notify ${key.channel}: could not deliver the message about ${key.approval}: ${end.error} (attempts: ${end.attempts})`,
      )
    }
    // The approval might have been decided while the message was being sent.
    if (key.kind === 'asked' && end.state === 'sent' && !this.#open.has(key.approval))
      this.#do(() => this.#tellEnd(key.approval))
  }

  async #findClosed(): Promise<void> {
    const { approvals, now } = this.#deps
    const pending = new Set(await approvals.listPending(ANY_TIME))
    for (const [id, { message }] of this.#open) {
      if (pending.has(id) && message.expiresAt > now()) continue
      this.#open.delete(id)
      await this.#tellEnd(id)
    }
  }

  /** Reports the end of approvals that were decided while no gateway was running. */
  async #closeMissed(): Promise<void> {
    const channels = [...this.#posts.values()].filter(({ channel }) => channel.close !== undefined)
    const keys = channels.map(({ channel }) => channel.key)
    for (const id of await this.#deps.notifications.unclosed(keys))
      if (!this.#open.has(id)) await this.#tellEnd(id)
  }

  async #tellEnd(id: string): Promise<void> {
    const { approvals, notifications, publicUrl } = this.#deps
    const known = (await notifications.list(id)).filter(
      ({ kind, state }) => kind === 'asked' && state === 'sent',
    )
    const told = known.filter(({ channel }) => this.#posts.get(channel)?.channel.close !== undefined)
    if (told.length === 0) return
    const approval = await approvals.find(id)
    if (approval === undefined) return
    const message = writeMessage(approval, publicUrl())
    const kind: NotificationKind = 'closed'
    for (const { channel } of told) await this.#tell({ approval: id, channel, kind }, message)
  }

  /**
   * Sets the timer for whatever comes next: a message that is due, an approval that expires, or the next look for other
   * processes' approvals.
   */
  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#posts.size === 0) return
    const now = this.#deps.now()
    let next = now + SWEEP_MS
    for (const { message, due } of this.#open.values()) {
      next = Math.min(next, message.expiresAt)
      for (const at of due.values()) next = Math.min(next, at)
    }
    this.#timer = setTimeout(() => this.#do(() => this.#wake()), Math.max(0, next - now)).unref()
  }

  async #wake(): Promise<void> {
    await this.#tellDue()
    await this.#findClosed()
    await this.#sweep()
  }
}

type Told = Pick<Message, 'server' | 'variant' | 'consequences' | 'agent'>

/**
 * Whether a channel sends messages about a call. Every criterion that its filter has must match.
 * @example
 * matchesFilter({ servers: ['crm*'] }, message) // => true for crm-eu
 */
function matchesFilter({ servers, variants, consequences, agents }: NotifyFilter, told: Told): boolean {
  return (
    (servers === undefined || servers.some(glob => matchesGlob(glob, told.server))) &&
    (variants === undefined || variants.includes(told.variant)) &&
    (consequences === undefined || told.consequences.some(kind => consequences.includes(kind))) &&
    (agents === undefined || agents.some(glob => matchesGlob(glob, told.agent)))
  )
}
