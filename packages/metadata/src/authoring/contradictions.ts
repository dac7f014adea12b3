import { MUTATING } from '../derive/operations.ts'
import type { FindingLevel } from '../finding.ts'
import { SPEC_HINTS } from '../hint/hints.ts'
import type { ToolRecord } from '../record/tool-record.ts'

/**
 * A rule about how the parts of a record fit together. `detail` returns a message if a record breaks the rule, and
 * undefined otherwise.
 */
export interface Contradiction {
  readonly code: string
  readonly level: FindingLevel
  readonly path: string
  readonly condition: string
  readonly fix: string
  readonly detail: (record: ToolRecord) => string | undefined
}

const when = (holds: boolean, message: string): string | undefined => (holds ? message : undefined)

function mutationsOf({ operations = [] }: ToolRecord): readonly string[] {
  return operations.filter(operation => MUTATING.includes(operation))
}

function readsOnly({ operations = [] }: ToolRecord): boolean {
  return operations.length > 0 && operations.every(operation => operation === 'read')
}

/** All contradictions that a record can have, in the order in which findings report them. */
export const CONTRADICTIONS: readonly Contradiction[] = [
  {
    code: 'readonly-mutates',
    level: 'error',
    path: 'behavior.readOnly',
    condition: 'create, update or delete with readOnly true',
    fix: 'Set readOnly to false, or remove the operations that change something.',
    detail: record => {
      const mutations = mutationsOf(record)
      const holds = record.hints.readOnly === true && mutations.length > 0
      return when(
        holds,
        `readOnly is true, but the declared operations change data: ${mutations.join(', ')}.`,
      )
    },
  },
  {
    code: 'readonly-opaque',
    level: 'error',
    path: 'behavior.readOnly',
    condition: 'opaque with readOnly true',
    fix: 'Set readOnly to false. The effect of an opaque call cannot be known in advance.',
    detail: ({ hints, operations = [] }) =>
      when(
        hints.readOnly === true && operations.includes('opaque'),
        'readOnly is true, but the effect is opaque: it depends on the arguments.',
      ),
  },
  {
    code: 'delete-not-destructive',
    level: 'error',
    path: 'behavior.destructive',
    condition: 'delete with destructive explicitly false',
    fix: 'Set destructive to true, or declare the operation update instead if the effect can be undone.',
    detail: ({ hints, operations = [] }) =>
      when(
        hints.destructive === false && operations.includes('delete'),
        'destructive is false, but the tool deletes.',
      ),
  },
  {
    code: 'domain-closed-world',
    level: 'error',
    path: 'behavior.openWorld',
    condition: 'a service domain with openWorld explicitly false',
    fix: 'Set openWorld to true, or remove serviceDomains if the tool uses no service.',
    detail: ({ hints, serviceDomains = [] }) =>
      when(
        hints.openWorld === false && serviceDomains.length > 0,
        `openWorld is false, but the tool uses a service: ${serviceDomains.join(', ')}.`,
      ),
  },
  {
    code: 'readonly-destructive',
    level: 'error',
    path: 'behavior.destructive',
    condition: 'readOnly true with destructive true',
    fix: 'Set readOnly or destructive to false. Until then, the tool counts as destructive.',
    detail: ({ hints }) =>
      when(hints.readOnly === true && hints.destructive === true, 'readOnly and destructive are both true.'),
  },
  {
    code: 'opaque-not-destructive',
    level: 'warning',
    path: 'behavior.destructive',
    condition: 'opaque with destructive explicitly false',
    fix: 'Set destructive to true, unless no argument can destroy anything.',
    detail: ({ hints, operations = [] }) =>
      when(
        hints.destructive === false && operations.includes('opaque'),
        'destructive is false, but the effect is opaque: it depends on the arguments.',
      ),
  },
  {
    code: 'read-destructive',
    level: 'warning',
    path: 'behavior.destructive',
    condition: 'read as the only operation, with destructive true',
    fix: 'Add the operation that destroys data, or set destructive to false.',
    detail: record =>
      when(
        record.hints.destructive === true && readsOnly(record),
        'destructive is true, but the tool only reads.',
      ),
  },
  {
    code: 'read-not-readonly',
    level: 'warning',
    path: 'behavior.readOnly',
    condition: 'read as the only operation, with readOnly explicitly false',
    fix: 'Set readOnly to true, or add the operation that changes something.',
    detail: record =>
      when(
        record.hints.readOnly === false && readsOnly(record),
        'readOnly is false, but the tool only reads.',
      ),
  },
  {
    code: 'flags-undeclared',
    level: 'info',
    path: 'behavior',
    condition:
      'any of readOnly, destructive, idempotent, openWorld undeclared (an error with production: true)',
    fix: 'Declare all four flags. Clients assume the strictest value for an undeclared flag.',
    detail: ({ hints }) => {
      const missing = SPEC_HINTS.filter(hint => hints[hint] === undefined)
      return when(missing.length > 0, `Undeclared flags: ${missing.join(', ')}.`)
    },
  },
]
