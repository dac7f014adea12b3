import { CONSEQUENCES } from '@hintgate/metadata'
import { z } from 'zod'
import { call } from './activity.ts'
import {
  fingerprint,
  hint,
  hintName,
  hints,
  hintValues,
  name,
  note,
  pageOf,
  paging,
  source,
  time,
  variant,
} from './common.ts'

const findingSchema = z.object({
  rule: z.string(),
  severity: z.string(),
  /** A JSON pointer: `/inputSchema/properties/x/description`. */
  field: z.string(),
  /** UTF-16 offsets in that text. */
  start: z.number(),
  end: z.number(),
  /** The text in question, safe to display. */
  text: z.string(),
  reason: z.string(),
})

const word = z.object({ op: z.enum(['same', 'added', 'removed']), text: z.string() })

const versionDiff = z.object({
  /** Undefined when there was no value before. */
  from: z.string().optional(),
  to: z.string(),
  verdict: z.enum(['same', 'tightened', 'loosened']),
  hints: z.array(
    z.object({
      hint: hintName,
      from: z.boolean().optional(),
      to: z.boolean().optional(),
      direction: z.enum(['loosened', 'tightened']),
    }),
  ),
  words: z.array(z.object({ path: z.string(), parts: z.array(word) })),
  /** All other changes: schemas and other data. */
  schema: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      from: z.unknown().optional(),
      to: z.unknown().optional(),
    }),
  ),
  /** A summary: `▼ destructiveHint`, `text`, `schema`. */
  summary: z.array(z.string()),
  /** The list of changes was cut because it is too long. */
  isCut: z.boolean(),
})

const state = z.enum(['pending', 'approved', 'changed', 'rejected', 'disabled'])

export const tool = z.object({
  /** `server:name`. */
  id: z.string(),
  server: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  state,
  fingerprint: z.string(),
  variant,
  /** 1 is the lowest. */
  risk: z.number(),
  category: z.enum(['read', 'write', 'delete']),
  domains: z.array(z.string()),
  hints,
  /** Findings of the scanner in the definition. */
  findings: z.number(),
  /** Declared hints that the description contradicts. */
  contradictions: z.number(),
  /** Why it is held, when it is not simply new. */
  why: z.string().optional(),
  override: hintValues.optional(),
  /** For If-Match in a change of its override. */
  etag: z.string(),
})

const review = z.object({
  verdict: z.enum(['approved', 'rejected']),
  by: z.string(),
  at: time,
  note: z.string().optional(),
})

/** As the server sent it; any JSON object. */
const definition = z.record(z.string(), z.unknown())

const evidence = z.object({
  hint: hintName,
  declared: z.boolean().optional(),
  inferred: z
    .object({
      value: z.boolean(),
      confidence: z.number(),
      because: z.array(z.object({ from: z.string(), text: z.string() })),
    })
    .optional(),
  /** The hints after approval, and until then. */
  ifApproved: hint,
  ifNot: hint,
})

const toolPage = tool.extend({
  definition,
  /** What a call of the tool may lead to, and the source of that. */
  consequence: z.object({
    kinds: z.array(z.enum(CONSEQUENCES)),
    /** The parameters that name whom or what a call reaches. */
    targets: z.array(z.string()),
    /** The words that this is inferred from. */
    evidence: z.array(z.string()),
    source: z.enum(['override', 'inferred']),
  }),
  /** What agents see: with effective annotations. */
  effective: definition,
  schema: z.unknown(),
  versions: z.array(
    z.object({
      fingerprint: z.string(),
      firstSeenAt: time,
      lastSeenAt: time,
      isCurrent: z.boolean(),
      /** A summary of the changes since the previous version. */
      changes: z.array(z.string()),
      review: review.optional(),
    }),
  ),
  /** Every change of the override by an operator. */
  overrides: z.array(z.object({ hints: hintValues.optional(), by: z.string(), at: time })),
  evidence: z.array(evidence),
  problems: z.array(z.object({ level: z.string(), text: z.string(), fix: z.string().optional() })),
  scan: z.array(findingSchema),
  lastCalls: z.array(
    call.pick({ request: true, at: true, agent: true, verdict: true, outcome: true, sentence: true }),
  ),
})

const toolParams = z.strictObject({ server: name, name })
const target = z.strictObject({ server: name, name })

const kind = z.enum(['tool', 'prompt', 'template', 'instructions'])
const waitingState = z.enum(['pending', 'changed', 'rejected', 'disabled'])

const waiting = z.object({
  server: z.string(),
  kind,
  name: z.string(),
  /** `approved` for a notice. */
  state,
  fingerprint: z.string(),
  /** When this version was first seen. */
  since: time,
  /** A summary: `new`, `▼ destructiveHint`, `text`, `renamed from x`. */
  summary: z.array(z.string()),
  /** Problems with its name. */
  why: z.string().optional(),
  /** Accepted because it only became stricter: `read → destructive`. An approval acknowledges it. */
  notice: z.string().optional(),
  isSuspicious: z.boolean(),
  findings: z.array(findingSchema),
  /** Compared with the last approved version. */
  diff: versionDiff.optional(),
  /** Tools only: the hints suggested by inference, and the resulting variant. */
  suggestion: z.object({ hints: hintValues, variant, variantIfNot: variant }).optional(),
  definition,
  before: definition.optional(),
})

export const toolsContract = {
  listTools: {
    query: z.strictObject({
      ...paging,
      query: z.string().max(400).optional(),
      server: name.optional(),
      state: state.optional(),
      variant: variant.optional(),
      /** `destructive=true`, or a name alone for any value. */
      hint: z.string().max(60).optional(),
      /** With `hint`: the source of its value; alone: the source of any hint. */
      source: source.optional(),
      sort: z.enum(['id', '-id', 'risk', '-risk', 'state', '-state']).optional(),
    }),
    response: pageOf(tool),
  },
  getTool: { params: toolParams, response: toolPage },
  getToolVersion: {
    params: z.strictObject({ server: name, name, fingerprint }),
    response: z.object({
      fingerprint: z.string(),
      firstSeenAt: time,
      lastSeenAt: time,
      review: review.optional(),
      definition,
    }),
  },
  diffTool: {
    params: toolParams,
    query: z.strictObject({ from: fingerprint.optional(), to: fingerprint.optional() }),
    response: versionDiff,
  },
  setOverride: {
    params: toolParams,
    body: z.strictObject({ hints: hintValues, note: note.optional() }),
    response: tool,
  },
  removeOverride: { params: toolParams, response: tool },
  overrideTools: {
    body: z.strictObject({ targets: z.array(target).min(1).max(1000), hints: hintValues }),
    response: z.object({ done: z.number(), refused: z.array(z.object({ id: z.string(), why: z.string() })) }),
  },
  reviewTool: {
    params: toolParams,
    body: z.strictObject({ verdict: z.enum(['approve', 'reject']), fingerprint, note: note.optional() }),
    response: tool,
  },
  disableTool: { params: toolParams, response: tool },
  enableTool: { params: toolParams, response: tool },
  listReview: {
    query: z.strictObject({
      ...paging,
      server: name.optional(),
      kind: kind.optional(),
      state: waitingState.optional(),
    }),
    response: pageOf(waiting),
  },
  reviewMany: {
    body: z.strictObject({
      items: z
        .array(
          z.strictObject({
            server: name,
            kind,
            name,
            fingerprint: z.string(),
            verdict: z.enum(['approve', 'reject']),
          }),
        )
        .min(1)
        .max(5000),
      note: note.optional(),
    }),
    response: z.object({
      done: z.number(),
      refused: z.array(z.object({ server: z.string(), kind, name: z.string(), why: z.string() })),
    }),
  },
}
