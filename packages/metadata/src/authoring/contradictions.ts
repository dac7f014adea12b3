import { MUTATING } from '../derive/operations.ts'
import type { FindingLevel } from '../finding.ts'
import { SPEC_HINTS } from '../hint/hints.ts'
import type { ToolRecord } from '../record/tool-record.ts'

/** A rule on how the parts of a record fit together. `detail` is undefined when the record is fine. */
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

/** Every way in which a record can disagree with itself, in the order in which findings are reported. */
export const CONTRADICTIONS: readonly Contradiction[] = [
  {
    code: 'readonly-mutates',
    level: 'error',
    path: 'behavior.readOnly',
    condition: 'create, update or delete with readOnly true',
    fix: 'Set readOnly to false, or drop the operations that change something.',
    detail: record => {
      const mutations = mutationsOf(record)
      const holds = record.hints.readOnly === true && mutations.length > 0
      return when(holds, `readOnly is true, but the tool says it does: ${mutations.join(', ')}`)
    },
  },
  {
    code: 'readonly-opaque',
    level: 'error',
    path: 'behavior.readOnly',
    condition: 'opaque with readOnly true',
    fix: 'Set readOnly to false: nobody can promise what an opaque call does.',
    detail: ({ hints, operations = [] }) =>
      when(
        hints.readOnly === true && operations.includes('opaque'),
        'readOnly is true, but the effect is opaque: it depends on the arguments',
      ),
  },
  {
    code: 'delete-not-destructive',
    level: 'error',
    path: 'behavior.destructive',
    condition: 'delete with destructive explicitly false',
    fix: 'Set destructive to true, or use the operation update if the effect can be undone.',
    detail: ({ hints, operations = [] }) =>
      when(
        hints.destructive === false && operations.includes('delete'),
        'destructive is false, but the tool deletes',
      ),
  },
  {
    code: 'domain-closed-world',
    level: 'error',
    path: 'behavior.openWorld',
    condition: 'a service domain with openWorld explicitly false',
    fix: 'Set openWorld to true, or drop serviceDomains if no service is involved.',
    detail: ({ hints, serviceDomains = [] }) =>
      when(
        hints.openWorld === false && serviceDomains.length > 0,
        `openWorld is false, but the tool talks to a service: ${serviceDomains.join(', ')}`,
      ),
  },
  {
    code: 'readonly-destructive',
    level: 'error',
    path: 'behavior.destructive',
    condition: 'readOnly true with destructive true',
    fix: 'Decide which is true; until then the tool counts as destructive.',
    detail: ({ hints }) =>
      when(hints.readOnly === true && hints.destructive === true, 'readOnly and destructive are both true'),
  },
  {
    code: 'opaque-not-destructive',
    level: 'warning',
    path: 'behavior.destructive',
    condition: 'opaque with destructive explicitly false',
    fix: 'Set destructive to true unless the arguments cannot destroy anything.',
    detail: ({ hints, operations = [] }) =>
      when(
        hints.destructive === false && operations.includes('opaque'),
        'destructive is false, but the effect is opaque: it depends on the arguments',
      ),
  },
  {
    code: 'read-destructive',
    level: 'warning',
    path: 'behavior.destructive',
    condition: 'only read with destructive true',
    fix: 'Name the operation that destroys, or set destructive to false.',
    detail: record =>
      when(
        record.hints.destructive === true && readsOnly(record),
        'destructive is true, but the tool only reads',
      ),
  },
  {
    code: 'read-not-readonly',
    level: 'warning',
    path: 'behavior.readOnly',
    condition: 'only read with readOnly explicitly false',
    fix: 'Set readOnly to true, or name the operation that changes something.',
    detail: record =>
      when(
        record.hints.readOnly === false && readsOnly(record),
        'readOnly is false, but the tool only reads',
      ),
  },
  {
    code: 'flags-undeclared',
    level: 'info',
    path: 'behavior',
    condition:
      'any of readOnly, destructive, idempotent, openWorld left undeclared (an error with production: true)',
    fix: 'Declare all four: clients assume the worst of what is left out.',
    detail: ({ hints }) => {
      const missing = SPEC_HINTS.filter(hint => hints[hint] === undefined)
      return when(missing.length > 0, `undeclared: ${missing.join(', ')}`)
    },
  },
]
