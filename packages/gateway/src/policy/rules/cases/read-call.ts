import {
  HINT_NAMES,
  type HintName,
  LEGS,
  OPERATIONS,
  SERVICE_DOMAINS,
  type Sourced,
} from '@hintgate/metadata'
import { isScalar, type Node } from 'yaml'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { readFields, readList, readText, readWord } from '../read-fields.ts'
import { readHints } from '../read-selectors.ts'
import type { YamlFile } from '../read-yaml.ts'
import type { ToldCall } from './case-facts.ts'

type Readers = {
  readonly [K in Exclude<keyof ToldCall, 'server'>]-?: (
    file: YamlFile,
    node: Node,
  ) => (K extends 'tool' ? Pick<ToldCall, 'server' | 'tool'> : ToldCall[K]) | undefined
}

const INTENT = {
  operation_type: ['read', 'write', 'destructive'],
  data_sensitivity: ['public', 'internal', 'private', 'unknown'],
} as const

/** How each part of a call is read. */
export const CALL_READERS: Readers = {
  tool: readTool,
  agent: (file, node) => readText(file, node, 'agent'),
  hints: readToldHints,
  operations: (file, node) =>
    readList(file, node, {
      what: 'operations',
      read: item => readWord(file, item, { what: 'operation', words: OPERATIONS }),
    }),
  domains: (file, node) =>
    readList(file, node, {
      what: 'domains',
      read: item => readWord(file, item, { what: 'domain', words: SERVICE_DOMAINS }),
    }),
  args: readArgs,
  intent: readIntent,
  session: readSession,
  now: readNow,
}

function readTool(file: YamlFile, node: Node): Pick<ToldCall, 'server' | 'tool'> | undefined {
  const [server = '', ...rest] = readText(file, node, 'tool')?.split(':') ?? []
  const tool = rest.join(':')
  if (server !== '' && tool !== '') return { server, tool }
  return file.complain(node, 'the tool is not named in full', 'write server:tool')
}

function readToldHints(file: YamlFile, node: Node): ToldCall['hints'] | undefined {
  const demands = readHints(file, node)
  const told: Partial<Record<HintName, boolean | Sourced<boolean>>> = {}
  for (const { hint, value, sources } of demands ?? []) {
    const [source] = sources ?? []
    if (value === undefined || (sources?.length ?? 0) > 1)
      return file.complain(
        node,
        `${hint} needs a value and one source`,
        'write { value: true, source: inferred }',
      )
    told[hint] = source === undefined ? value : { value, source }
  }
  return demands && HINT_NAMES.some(hint => hint in told) ? told : undefined
}

function readArgs(file: YamlFile, node: Node): Json | undefined {
  const args = file.dataOf(node)
  return isJsonObject(args) ? args : file.complain(node, 'args is not a mapping', 'write names and values')
}

function readIntent(file: YamlFile, node: Node): ToldCall['intent'] {
  const fields = readFields(file, node, { what: 'intent', known: [...Object.keys(INTENT), 'reason'] })
  const word = <K extends keyof typeof INTENT>(key: K) => {
    const value = fields?.get(key)?.value
    return value && readWord<(typeof INTENT)[K][number]>(file, value, { what: key, words: INTENT[key] })
  }
  const operation_type = word('operation_type')
  const data_sensitivity = word('data_sensitivity')
  const written = fields?.get('reason')?.value
  const reason = written && readText(file, written, 'reason')
  return {
    ...(operation_type && { operation_type }),
    ...(data_sensitivity && { data_sensitivity }),
    ...(reason && { reason }),
  }
}

function readSession(file: YamlFile, node: Node): ToldCall['session'] {
  const fields = readFields(file, node, { what: 'session', known: LEGS })
  const legs = LEGS.flatMap(leg => {
    const value = fields?.get(leg)?.value
    const basis = value && readWord(file, value, { what: leg, words: ['none', 'assumed', 'declared'] })
    return basis === undefined ? [] : [[leg, basis]]
  })
  return Object.fromEntries(legs)
}

function readNow(file: YamlFile, node: Node): number | undefined {
  const at = isScalar(node) ? Date.parse(String(node.value)) : Number.NaN
  return Number.isNaN(at)
    ? file.complain(node, 'now is not a time', 'write one such as 2026-01-05T12:00:00Z')
    : at
}
