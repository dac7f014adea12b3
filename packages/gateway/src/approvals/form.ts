import { foldLookAlikes, showUntrusted, toCompatible } from '@hintgate/metadata'
import type { Remember } from '../policy/rules.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { nameOf } from '../protocol/name-of.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { shorten, writeOut } from './shorten.ts'
import { readShown, type ShownRequest } from './shown-request.ts'

export { CONFIRM_FORM as FORM_KEY } from '@hintgate/metadata'

/** An empty elicitation capability stands for forms alone. */
export function canShowForm({ elicitation }: Json): boolean {
  if (!isJsonObject(elicitation)) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}

const TITLE = 'May this happen?'

export function confirmationForm(approval: StoredApproval): Json {
  const shown = readShown(approval.shown)
  return {
    mode: 'form',
    message: messageOf(approval.id, shown),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: TITLE, enum: ['approve', 'refuse'] },
        ...rememberField(shown.remember),
      },
      required: ['decision'],
    },
  }
}

/**
 * Whether a person would take one of some questions for one of ours, by its form or by its words: they are about to say what
 * an agent may do, and the answer would be a server's. However its members are spelt. What is so long that nobody reads it
 * is not looked through, and counts as ours: nobody is asked it.
 */
export function looksLikeOurs(questions: Iterable<Json>): boolean {
  const room = new Room()
  for (const params of questions) {
    const parts = readParts(params, room)
    if (room.isFull || hasOurParts(parts)) return true
  }
  return false
}

/** In characters, of all that is asked at once: a form with six thousand choices has fewer. */
const MOST_READ = 128 * 1024
/** As much work as so many characters, however short it is. */
const EVERY_TEXT = 16
/** So many characters are as much work as one of another script. */
const PLAIN = 16
const IS_PLAIN = /^[\t\n\r -~]*$/

class Room {
  #left = MOST_READ

  get isFull(): boolean {
    return this.#left < 0
  }

  /** The text in plainer characters, as far as there are any for it. Undefined where there is no room left for it. */
  read(text: string): string | undefined {
    const isPlain = IS_PLAIN.test(text)
    if (!this.#take((isPlain ? text.length / PLAIN : text.length) + EVERY_TEXT)) return undefined
    if (isPlain) return text
    const compatible = toCompatible(text)
    // One character may stand for eighteen.
    return this.#take(compatible.length - text.length) ? compatible : undefined
  }

  #take(work: number): boolean {
    this.#left -= Math.max(0, work)
    return !this.isFull
  }
}

interface Parts {
  readonly messages: readonly string[]
  /** All texts of each form. */
  readonly forms: readonly ReadonlySet<string>[]
}

function readParts(params: Json, room: Room): Parts {
  const messages: string[] = []
  const forms: Set<string>[] = []
  for (const key in params) {
    if (room.read(key) === undefined) break
    const part = params[key]
    const name = nameOf(key)
    const message = name === 'message' && typeof part === 'string' ? room.read(part) : undefined
    if (message !== undefined) messages.push(message)
    if (name === 'requestedschema') forms.push(collectTexts(part, room))
  }
  return { messages, forms }
}

function hasOurParts({ messages, forms }: Parts): boolean {
  return messages.some(message => hasOurWords(lettersOf(message))) || forms.some(hasOurField)
}

/**
 * Only the letters that the eye reads: many characters look like a blank or a colon, some show as one here and as nothing
 * there, and letters of other scripts look like ours.
 */
function lettersOf(compatible: string): string {
  return foldLookAlikes(compatible).replaceAll(/[^a-z0-9]/g, '')
}

const OUR_TITLE = lettersOf(TITLE)
const OUR_ACTION = lettersOf(' wants to: ')
const OUR_REASON = lettersOf('Why you are asked: ')
const NOT_ALL = lettersOf('not everything that would be executed is shown here')

function hasOurWords(message: string): boolean {
  return (message.includes(OUR_ACTION) && message.includes(OUR_REASON)) || message.includes(NOT_ALL)
}

/** Whoever can choose between these two decides what we ask about, whatever the field is called. */
const OUR_CHOICES = ['approve', 'refuse'] as const

function hasOurField(form: ReadonlySet<string>): boolean {
  const texts = new Set([...form].map(lettersOf))
  if (OUR_CHOICES.every(choice => texts.has(choice))) return true
  return [...texts].some(text => text.includes(OUR_TITLE) || hasOurWords(text))
}

function collectTexts(part: unknown, room: Room, texts = new Set<string>()): Set<string> {
  if (room.isFull) return texts
  if (typeof part === 'string') addText(part, room, texts)
  else if (Array.isArray(part)) for (const item of part) collectTexts(item, room, texts)
  else if (isJsonObject(part))
    for (const key in part) {
      addText(key, room, texts)
      collectTexts(part[key], room, texts)
    }
  return texts
}

function addText(text: string, room: Room, texts: Set<string>): void {
  const compatible = room.read(text)
  if (compatible !== undefined) texts.add(compatible)
}

const REMEMBER_TEXT: Readonly<Record<'once' | Remember, string>> = {
  once: 'this once',
  session: 'this tool, for the rest of the session',
  arguments: 'exactly these arguments, for an hour',
}

function rememberField(remember: readonly Remember[]): Json {
  if (remember.length === 0) return {}
  const choices = ['once', ...remember] as const
  const enumNames = choices.map(choice => REMEMBER_TEXT[choice])
  return { remember: { type: 'string', title: 'Good for', enum: choices, enumNames, default: 'once' } }
}

/** Forms are small; so much of the arguments, and as much of what goes with them. */
const MOST = 4000

function messageOf(id: string, shown: ShownRequest): string {
  const { agent, action, tool, server, reasons, preview, session_risk, origin } = shown
  const said = Object.entries(shown.hints).filter(([, { value }]) => value)
  const args = shorten(shown.arguments, MOST)
  const others = shown.others === undefined ? undefined : shorten(shown.others, MOST)
  const isCut = args.isCut || others?.isCut === true
  return [
    // First, so that nobody overlooks it behind a long text.
    ...(isCut ? [notAll(id)] : []),
    `${agent} wants to: ${action}`,
    `Tool ${showUntrusted(tool, 120)} of server ${server}: ${said.map(([name, { source }]) => `${name} (${source})`).join(', ')}`,
    `Arguments: ${writeValue(args.value)}`,
    ...(others === undefined ? [] : [`And besides them: ${writeValue(others.value)}`]),
    ...reasons.map(({ rule, text }) => `Why you are asked: ${showUntrusted(text, 400)} [${rule}]`),
    ...(origin === undefined ? [] : [`The text that asks for it: "${showUntrusted(origin.passage, 240)}"`]),
    ...(session_risk.level === 'none' ? [] : [`Session risk: ${session_risk.level}`]),
    ...(preview === undefined ? [] : [`What would change, says the tool: ${preview}`]),
  ].join('\n')
}

/** Whoever is not shown everything is told so, and where everything is. */
function notAll(id: string): string {
  return `NOT EVERYTHING THAT WOULD BE EXECUTED IS SHOWN HERE: it is too long for this form. Look at all of it before you approve: hintgate approvals show ${id}, or the console.`
}

function writeValue(value: unknown): string {
  return writeOut(JSON.stringify(value))
}

export interface FormAnswer {
  readonly verdict: 'approved' | 'denied'
  readonly remember?: Remember | undefined
}

/** Undefined where nobody decided anything: the form was closed, or is not what was asked for. */
export function readForm(result: unknown): FormAnswer | undefined {
  if (!isJsonObject(result)) return undefined
  if (result.action === 'decline') return { verdict: 'denied' }
  if (result.action !== 'accept' || !isJsonObject(result.content)) return undefined
  const { decision, remember } = result.content
  if (decision === 'refuse') return { verdict: 'denied' }
  if (decision !== 'approve') return undefined
  const kept = remember === 'session' || remember === 'arguments' ? remember : undefined
  return { verdict: 'approved', remember: kept }
}
