import type { Json } from '../../../protocol/messages.ts'
import { SchemaConverter } from './convert-schema.ts'
import { UnusablePart } from './document-error.ts'
import { asObject, follow } from './follow.ts'
import type { Operation } from './operation.ts'
import type { Work } from './work.ts'

export interface DescribedResponse extends Pick<Operation, 'accept' | 'structure'> {
  readonly outputSchema: Json | undefined
}

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\b/i
const ANY = 'application/json, text/*;q=0.9, */*;q=0.8'

/**
 * Describes the answer of a successful operation. The schema is loose: it names the members and their types, and
 * accepts an answer with fewer or other members.
 */
export function readResponse(root: Json, operation: Json, work: Work): DescribedResponse {
  const success = Object.entries(asObject(operation.responses))
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
    .map(([, response]) => follow(root, response))
  const media = success.flatMap(({ content }) => Object.entries(asObject(content)))
  const types = media.map(([type]) => type)
  const json = media.filter(([type]) => JSON_TYPE.test(type)).map(([, one]) => asObject(one).schema)
  const accept =
    types.length === 0 ? ANY : `${[...new Set(types)].slice(0, MOST_TYPES).join(', ')}, */*;q=0.5`
  const described = json.length === 1 && json[0] !== undefined ? describe({ root, work }, json[0]) : undefined
  return {
    accept: /[^\t\x20-\x7e]/.test(accept) ? ANY : accept,
    structure: described?.structure,
    outputSchema: described?.schema,
  }
}

const MOST_TYPES = 10
/** Maximum number of characters of an output schema. A longer one costs agents more than it tells them. */
const MOST_LENGTH = 32_000

function describe(
  { root, work }: { readonly root: Json; readonly work: Work },
  schema: unknown,
): { structure: 'object' | 'wrapped'; schema: Json } | undefined {
  try {
    const converter = new SchemaConverter({ root, work }, 'response')
    const { type } = follow(root, schema)
    const isObject = type === 'object'
    const shown = converter.convert(isObject ? follow(root, schema) : schema)
    const $defs = converter.definitions()
    const whole = {
      ...(isObject ? { ...shown, type: 'object' } : { type: 'object', properties: { result: shown } }),
      ...(Object.keys($defs).length === 0 ? {} : { $defs }),
    }
    if (JSON.stringify(whole).length > MOST_LENGTH) return undefined
    return { structure: isObject ? 'object' : 'wrapped', schema: whole }
  } catch (error) {
    // A tool works without a description of its answer.
    if (error instanceof UnusablePart) return undefined
    throw error
  }
}
