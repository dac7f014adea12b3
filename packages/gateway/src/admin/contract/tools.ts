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
  /** A JSON pointer such as `/inputSchema/properties/x/description`. */
  field: z.string(),
  /** UTF-16 offsets in the field's text. */
  start: z.number(),
  end: z.number(),
  /** The text between the two offsets, made safe to display. */
  text: z.string(),
  reason: z.string(),
})

const word = z.object({ op: z.enum(['same', 'added', 'removed']), text: z.string() })

const versionDiff = z.object({
  /** Undefined if there was no value before. */
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
  /** All other changes, in schemas and other data. */
  schema: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      from: z.unknown().optional(),
      to: z.unknown().optional(),
    }),
  ),
  /** A summary such as `▼ destructiveHint`, `text`, `schema`. */
  summary: z.array(z.string()),
  /** True if the list of changes was too long and has been cut. */
  isCut: z.boolean(),
})

const state = z.enum(['pending', 'approved', 'changed', 'rejected', 'disabled'])

export const tool = z.object({
  /** The id, `server:name`. */
  id: z.string(),
  server: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  state,
  fingerprint: z.string(),
  variant,
  /** The risk level; 1 is the lowest. */
  risk: z.number(),
  category: z.enum(['read', 'write', 'delete']),
  domains: z.array(z.string()),
  hints,
  /** The number of the scanner's findings in the definition. */
  findings: z.number(),
  /** The number of declared hints that the description contradicts. */
  contradictions: z.number(),
  /** The reason why the tool is held, if it is not simply new. */
  why: z.string().optional(),
  override: hintValues.optional(),
  /** The value to send as If-Match when changing the tool's override. */
  etag: z.string(),
})

const review = z.object({
  verdict: z.enum(['approved', 'rejected']),
  by: z.string(),
  at: time,
  note: z.string().optional(),
})

/** A definition as the server sent it, which can be any JSON object. */
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
  /** The hint's value after approval; `ifNot` is its value until then. */
  ifApproved: hint,
  ifNot: hint,
})

const toolPage = tool.extend({
  definition,
  /** The possible consequences of a call to the tool, and how they are known. */
  consequence: z.object({
    kinds: z.array(z.enum(CONSEQUENCES)),
    /** The parameters that name the people or things that a call reaches. */
    targets: z.array(z.string()),
    /** The words that the consequences are inferred from. */
    evidence: z.array(z.string()),
    source: z.enum(['override', 'inferred']),
  }),
  /** The definition as agents see it, with effective annotations. */
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
  /** Every change that an operator made to the override. */
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
  /** The review state; `approved` for a notice. */
  state,
  fingerprint: z.string(),
  /** The time at which this version was first seen. */
  since: time,
  /** A summary such as `new`, `▼ destructiveHint`, `text` or `renamed from x`. */
  summary: z.array(z.string()),
  /** The problem with the tool's name, if there is one. */
  why: z.string().optional(),
  /**
   * A change such as `read → destructive`, accepted without review because it only makes the tool stricter. Approving
   * the tool acknowledges the change.
   */
  notice: z.string().optional(),
  isSuspicious: z.boolean(),
  findings: z.array(findingSchema),
  /** The changes since the last approved version. */
  diff: versionDiff.optional(),
  /** Only for tools: the hints that inference suggests, and the resulting variant. */
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
      /** A hint such as `destructive=true`, or only its name for any value. */
      hint: z.string().max(60).optional(),
      /** The source that `hint` must have. Without `hint`, at least one of the tool's hints must have this source. */
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
