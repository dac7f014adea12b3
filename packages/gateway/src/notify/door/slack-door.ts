import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { TextSealer } from '../../base/text-sealer.ts'
import type { NotifyConfig, SlackConfig } from '../../config/build-notify.ts'
import { isJsonObject } from '../../protocol/messages.ts'
import type { Answers } from '../answers/answers.ts'
import { ownValue } from '../answers/links.ts'
import { APPROVE_ACTION, DENY_ACTION, whisper } from '../channels/slack.ts'

interface SlackDoorDeps {
  readonly answers: Answers
  readonly channels: () => readonly NotifyConfig[]
  readonly sealer: TextSealer
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/** Requests older than this are refused, because an attacker could have recorded them and be replaying them. */
const WINDOW_S = 5 * 60
const MOST_SEEN = 10_000
const WHISPER_MS = 10_000

/** Handles Slack's interaction requests; see https://docs.slack.dev/authentication/verifying-requests-from-slack. */
export class SlackDoor {
  readonly #deps: SlackDoorDeps
  /** The signatures of recent requests, each with the time (in seconds) at which it can be forgotten. */
  readonly #seen = new Map<string, number>()

  constructor(deps: SlackDoorDeps) {
    this.#deps = deps
  }

  /**
   * Handles a request and returns the HTTP status. Slack expects an answer within three seconds, so the person who
   * clicked is informed afterwards.
   */
  async receive(name: string, headers: IncomingHttpHeaders, body: string): Promise<number> {
    const config = this.#deps.channels().find(one => one.type === 'slack' && one.name === name)
    if (config?.type !== 'slack' || config.bot === undefined) return 404
    if (!this.#isGenuine(config.bot.signingSecret, headers, body)) return 401
    const press = readPress(body)
    if (press === undefined) return 200
    const said = await this.#answer(config, press)
    if (said !== undefined) this.#whisper(config, press.user, said)
    return 200
  }

  #isGenuine(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
    const time = String(headers['x-slack-request-timestamp'] ?? '')
    const given = String(headers['x-slack-signature'] ?? '')
    const now = this.#deps.now() / 1000
    if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > WINDOW_S) return false
    if (!isEqual(given, signSlack(secret, time, body))) return false
    // Signatures are kept for twice the window, because a request's time can be ahead of this clock.
    return this.#isNew(given, now + 2 * WINDOW_S)
  }

  #isNew(signature: string, until: number): boolean {
    const now = this.#deps.now() / 1000
    if ((this.#seen.get(signature) ?? 0) > now) return false
    for (const [old, end] of this.#seen) {
      if (end > now && this.#seen.size < MOST_SEEN) break
      this.#seen.delete(old)
    }
    this.#seen.set(signature, until)
    return true
  }

  /**
   * Records an answer. Returns the text to send to the person, or undefined if the updated message already says
   * everything.
   */
  async #answer(config: SlackConfig, { user, action, value }: Press): Promise<string | undefined> {
    const { answers, sealer } = this.#deps
    const opened = sealer.open(value)
    const [id, channel] = opened === undefined ? [] : (JSON.parse(opened) as [string, string])
    if (id === undefined || channel !== config.name) return 'This button does not belong to this channel.'
    const person = ownValue(config.people, user)
    if (person === undefined)
      return 'You are not on the list of people who can answer in this channel. Ask the operator to add you.'
    const verdict = action === APPROVE_ACTION ? 'approved' : 'denied'
    const result = await answers.give({ id, person, verdict, via: 'slack' })
    return result.text
  }

  #whisper(config: SlackConfig, user: string, text: string): void {
    whisper(config, { user, text, signal: AbortSignal.timeout(WHISPER_MS) }).catch(this.#deps.onError)
  }
}

/**
 * @example
 * signSlack(secret, '1531420618', 'payload=…') // => 'v0=a2114d57…'
 */
function signSlack(secret: string, time: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

interface Press {
  readonly user: string
  readonly action: string
  readonly value: string
}

/**
 * Reads a click on one of Hintgate's buttons. Slack also sends other interactions, which are acknowledged but otherwise
 * ignored.
 */
function readPress(body: string): Press | undefined {
  const payload = parse(new URLSearchParams(body).get('payload') ?? '')
  if (!isJsonObject(payload) || payload.type !== 'block_actions') return undefined
  const [first] = Array.isArray(payload.actions) ? (payload.actions as unknown[]) : []
  const user = isJsonObject(payload.user) ? payload.user.id : undefined
  if (!isJsonObject(first) || typeof user !== 'string') return undefined
  const { action_id: action, value } = first
  const isOurs = action === APPROVE_ACTION || action === DENY_ACTION
  return isOurs && typeof value === 'string' ? { user, action, value } : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
