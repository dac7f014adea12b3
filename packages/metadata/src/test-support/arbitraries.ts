import fc from 'fast-check'
import { SERVICE_DOMAINS } from '../authoring/service-domains.ts'
import type { ToolMetadata } from '../authoring/tool-metadata.ts'
import { OPERATIONS } from '../derive/operations.ts'
import { REACHES } from '../derive/reach.ts'
import { HINT_NAMES, type HintValues } from '../hint/hints.ts'
import type { Inference, Judgement } from '../infer/inference.ts'
import type { ToolRecord } from '../record/tool-record.ts'

const optional = { requiredKeys: [] as [] }

export const anyHints = fc.record(
  Object.fromEntries(HINT_NAMES.map(hint => [hint, fc.boolean()])),
  optional,
) as fc.Arbitrary<HintValues>

export const anyRecord = fc
  .tuple(
    anyHints,
    fc.record({ operations: fc.subarray([...OPERATIONS]), reach: fc.constantFrom(...REACHES) }, optional),
  )
  .map(([hints, rest]): ToolRecord => ({ hints, ...rest }))

function judgement<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Judgement<T>> {
  return fc.record({
    value,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    evidence: fc.constant([]),
  })
}

const flag = judgement(fc.boolean())

export const anyInference: fc.Arbitrary<Inference> = fc.record({
  operations: judgement(fc.subarray([...OPERATIONS])),
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
  reversible: flag,
  egress: flag,
  sensitive: flag,
  domains: fc.constant([]),
})

/** Text without lone surrogates, which JSON and canonical JSON can represent. */
const text = fc.string({ unit: 'grapheme' })

export const anyMetadata = fc.record(
  {
    title: text,
    classification: fc.record({ serviceDomains: fc.subarray([...SERVICE_DOMAINS]) }, optional),
    behavior: fc.record(
      {
        ...Object.fromEntries(HINT_NAMES.map(hint => [hint, fc.boolean()])),
        operations: fc.subarray([...OPERATIONS]),
        reach: fc.constantFrom(...REACHES),
      },
      optional,
    ),
    action: text,
    tags: fc.array(text, { maxLength: 40 }),
    extras: fc.dictionary(text, fc.jsonValue({ stringUnit: 'grapheme' })),
    strict: fc.boolean(),
    _meta: fc.dictionary(
      text.map(key => `x/${key}`),
      fc.jsonValue({ stringUnit: 'grapheme' }),
    ),
  },
  optional,
) as fc.Arbitrary<ToolMetadata>
