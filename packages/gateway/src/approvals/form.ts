import { foldLookAlikes, showUntrusted, toCompatible } from '@hintgate/metadata'
import { REMEMBER, type Remember } from '../policy/rules.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { nameOf } from '../protocol/name-of.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { shorten, writeOut } from './shorten.ts'
import { readShown, type ShownRequest } from './shown-request.ts'

export { CONFIRM_FORM as FORM_KEY } from '@hintgate/metadata'

/** True if a client can show a form. An empty elicitation capability means that it can show only forms. */
export function canShowForm({ elicitation }: Json): boolean {
  if (!isJsonObject(elicitation)) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}

const TITLE = 'Allow this call?'

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
 * True if the fields or words of a server's questions, in any spelling, look like the gateway's confirmation form. A
 * person could otherwise approve a call by mistake when answering the server. Text that is too long to check counts as
 * a match, so it is not shown.
 */
export function looksLikeOurs(questions: Iterable<Json>): boolean {
  const budget = new TextBudget()
  for (const params of questions) {
    const parts = readParts(params, budget)
    if (budget.isFull || hasOurParts(parts)) return true
  }
  return false
}

/** Maximum number of characters in all questions asked together, enough for a form with six thousand choices. */
const MOST_READ = 128 * 1024
/** The fixed cost of every text, in characters, in addition to its length. */
const EVERY_TEXT = 16
/** The number of plain ASCII characters that cost as much as one character of another script. */
const PLAIN = 16
const IS_PLAIN = /^[\t\n\r -~]*$/

class TextBudget {
  #left = MOST_READ

  get isFull(): boolean {
    return this.#left < 0
  }

  /** Returns a text in Unicode's compatibility form; undefined if the budget is used up. */
  read(text: string): string | undefined {
    const isPlain = IS_PLAIN.test(text)
    if (!this.#take((isPlain ? text.length / PLAIN : text.length) + EVERY_TEXT)) return undefined
    if (isPlain) return text
    const compatible = toCompatible(text)
    // The difference is charged too, because one character can expand to eighteen.
    return this.#take(compatible.length - text.length) ? compatible : undefined
  }

  #take(work: number): boolean {
    this.#left -= Math.max(0, work)
    return !this.isFull
  }
}

interface Parts {
  readonly messages: readonly string[]
  /** For each form, the texts in it. */
  readonly forms: readonly ReadonlySet<string>[]
}

function readParts(params: Json, budget: TextBudget): Parts {
  const messages: string[] = []
  const forms: Set<string>[] = []
  for (const key in params) {
    if (budget.read(key) === undefined) break
    const part = params[key]
    const name = nameOf(key)
    const message = name === 'message' && typeof part === 'string' ? budget.read(part) : undefined
    if (message !== undefined) messages.push(message)
    if (name === 'requestedschema') forms.push(collectTexts(part, budget))
  }
  return { messages, forms }
}

function hasOurParts({ messages, forms }: Parts): boolean {
  return messages.some(message => hasOurWords(lettersOf(message))) || forms.some(hasOurField)
}

/**
 * Reduces a text to its letters, with letters that look like Latin ones replaced by Latin ones. Everything else is
 * removed, because many characters look like a space or a colon, and clients show some of them differently.
 */
function lettersOf(compatible: string): string {
  return foldLookAlikes(compatible).replaceAll(/[^a-z0-9]/g, '')
}

const OUR_TITLE = lettersOf(TITLE)
const OUR_ACTION = lettersOf(' wants to: ')
/** The words before a reason. Older versions used the second form, which people might still recognise. */
const OUR_REASONS = ['Reason for asking: ', 'Why you are asked: '].map(lettersOf)
const NOT_ALL = lettersOf('not everything that would be executed is shown here')

function hasOurWords(message: string): boolean {
  return (
    (message.includes(OUR_ACTION) && OUR_REASONS.some(reason => message.includes(reason))) ||
    message.includes(NOT_ALL)
  )
}

/**
 * The choices in the gateway's own form. A form with both looks like a decision on a call, whatever the field's name.
 */
const OUR_CHOICES = ['approve', 'refuse'] as const

function hasOurField(form: ReadonlySet<string>): boolean {
  const texts = new Set([...form].map(lettersOf))
  if (OUR_CHOICES.every(choice => texts.has(choice))) return true
  return [...texts].some(text => text.includes(OUR_TITLE) || hasOurWords(text))
}

function collectTexts(part: unknown, budget: TextBudget, texts = new Set<string>()): Set<string> {
  if (budget.isFull) return texts
  if (typeof part === 'string') addText(part, budget, texts)
  else if (Array.isArray(part)) for (const item of part) collectTexts(item, budget, texts)
  else if (isJsonObject(part))
    for (const key in part) {
      addText(key, budget, texts)
      collectTexts(part[key], budget, texts)
    }
  return texts
}

function addText(text: string, budget: TextBudget, texts: Set<string>): void {
  const compatible = budget.read(text)
  if (compatible !== undefined) texts.add(compatible)
}

const REMEMBER_TEXT: Readonly<Record<'once' | Remember, string>> = {
  once: 'this once',
  session: 'this tool, for the rest of the session',
  arguments: 'these exact arguments, for one hour',
  target: 'this tool with the same target in this session, for one hour',
  rule: 'everything that this rule asks about at this tool',
}

/** The client's own user cannot approve everything a rule asks about. Only people with the role operator can. */
function rememberField(permitted: readonly Remember[]): Json {
  const remember = permitted.filter(kind => kind !== 'rule')
  if (remember.length === 0) return {}
  const choices = ['once', ...remember] as const
  const enumNames = choices.map(choice => REMEMBER_TEXT[choice])
  return { remember: { type: 'string', title: 'Valid for', enum: choices, enumNames, default: 'once' } }
}

/** Maximum number of characters shown of the arguments, and of the other parameters. Forms are small. */
const MOST = 4000

function messageOf(id: string, shown: ShownRequest): string {
  const { agent, action, tool, server, reasons, preview, session_risk, origin } = shown
  const said = Object.entries(shown.hints).filter(([, { value }]) => value)
  const args = shorten(shown.arguments, MOST)
  const others = shown.others === undefined ? undefined : shorten(shown.others, MOST)
  const isCut = args.isCut || others?.isCut === true
  return [
    // The notice comes first, so that a long text cannot hide it.
    ...(isCut ? [truncationNotice(id)] : []),
    `${agent} wants to: ${action}`,
    `Tool ${showUntrusted(tool, 120)} of server ${server}: ${said.map(([name, { source }]) => `${name} (${source})`).join(', ')}`,
    `Arguments: ${writeValue(args.value)}`,
    ...(others === undefined ? [] : [`Other parameters: ${writeValue(others.value)}`]),
    ...reasons.map(({ rule, text }) => `Reason for asking: ${showUntrusted(text, 400)} [${rule}]`),
    ...(origin === undefined
      ? []
      : [`The text that asks for this call: "${showUntrusted(origin.passage, 240)}"`]),
    ...(session_risk.level === 'none' ? [] : [`Session risk: ${session_risk.level}`]),
    ...(preview === undefined ? [] : [`The tool's own preview: ${preview}`]),
  ].join('\n')
}

function truncationNotice(id: string): string {
  return `NOT EVERYTHING THAT WOULD BE EXECUTED IS SHOWN HERE: the call is too long for this form. Read all of it before you approve: run hintgate approvals show ${id}, or open the console.`
}

function writeValue(value: unknown): string {
  return writeOut(JSON.stringify(value))
}

export interface FormAnswer {
  readonly verdict: 'approved' | 'denied'
  readonly remember?: Remember | undefined
}

/** Reads the answer to a form; undefined if the form was closed or the answer does not fit it. */
export function readForm(result: unknown): FormAnswer | undefined {
  if (!isJsonObject(result)) return undefined
  if (result.action === 'decline') return { verdict: 'denied' }
  if (result.action !== 'accept' || !isJsonObject(result.content)) return undefined
  const { decision, remember } = result.content
  if (decision === 'refuse') return { verdict: 'denied' }
  if (decision !== 'approve') return undefined
  const kept = REMEMBER.find(known => known === remember && known !== 'rule')
  return { verdict: 'approved', remember: kept }
}
