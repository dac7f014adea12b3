import { own } from '../definition/own-property.ts'
import { showUntrusted } from './untrusted-text.ts'

/** Names of arguments that describe a call well, the most informative first. */
const TELLING = [
  'to',
  'subject',
  'path',
  'file',
  'name',
  'title',
  'query',
  'url',
  'id',
  'key',
  'message',
  'text',
]
const SECRETIVE = /pass|secret|token|credential|auth|api_?key|private/i
const PLACEHOLDER = /\{\{|\}\}|\{([^{}]{1,64})\}/g

export interface Action {
  /**
   * A sentence such as `Sent email to {to}`. Without a template, the title and the most informative argument are used.
   */
  readonly template?: string | undefined
  readonly title: string
  readonly args: unknown
}

/**
 * Describes a call in one line, for an activity feed. Arguments are untrusted: only scalars and lists of them are
 * shown, shortened and with hidden characters escaped; other values become `…`. A template describes a completed
 * action, so use it only for calls that succeeded.
 *
 * @example
 * import { actionSentence } from '@hintgate/metadata'
 * actionSentence({ template: 'Sent email to {to}', title: 'Send', args: { to: 'ada@example.com' } }) // => 'Sent email to ada@example.com'
 * actionSentence({ title: 'Delete file', args: { path: 'a.txt' } }) // => 'Delete file: a.txt'
 */
export function actionSentence({ template, title, args }: Action): string {
  return template === undefined ? describeCall(title, args) : fillTemplate(template, args)
}

function fillTemplate(template: string, args: unknown): string {
  return showUntrusted(template, 500).replaceAll(PLACEHOLDER, (match, name?: string) => {
    if (match === '{{') return '{'
    if (match === '}}') return '}'
    return showValue(own(args, name ?? '')) ?? '…'
  })
}

function describeCall(title: string, args: unknown): string {
  const telling = mostTelling(args)
  const shown = showUntrusted(title, 120)
  return telling === undefined ? shown : `${shown}: ${telling}`
}

function mostTelling(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const others = Object.keys(args).slice(0, 50)
  const candidates = [...TELLING, ...others].filter(name => !SECRETIVE.test(name))
  return candidates.map(name => showValue(own(args, name))).find(text => text !== undefined && text !== '')
}

/** Maximum number of list elements that are shown. */
const MOST_ELEMENTS = 3

function showValue(value: unknown): string | undefined {
  if (!Array.isArray(value)) return showScalar(value)
  if (value.length === 0) return 'none'
  const shown = value.slice(0, MOST_ELEMENTS).map(one => showScalar(one) ?? '…')
  const more = value.length - shown.length
  // A list is not worth showing if none of its elements can be shown.
  if (shown.every(text => text === '…')) return undefined
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

function showScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return showUntrusted(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
