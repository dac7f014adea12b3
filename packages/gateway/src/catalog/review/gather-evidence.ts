import {
  type Assessment,
  assessTool,
  type CallVariant,
  type Context,
  type Evidence,
  type Finding,
  HINT_NAMES,
  HINTS,
  isSuspicious,
  type Judgement,
  type ScanContext,
  type ScanFinding,
  type Sourced,
  scanTool,
  type ToolDefinition,
} from '@hintgate/metadata'
import { readName } from '../../base/read-name.ts'
import type { DefinitionKind, StoredDefinition } from '../../store/store.ts'
import { idOf } from './review-item.ts'

export interface HintEvidence {
  /** The hint's name in MCP. */
  readonly hint: string
  readonly declared?: boolean
  readonly inferred?: Judgement<boolean>
  readonly ifApproved: Sourced<boolean>
  readonly ifNot: Sourced<boolean>
}

export interface ToolEvidence {
  readonly hints: readonly HintEvidence[]
  /** The variant that a call to the tool requires after approval, and before it. */
  readonly callWith: { readonly ifApproved: CallVariant; readonly ifNot: CallVariant }
  /** The tool's contradictions and unreadable parts. */
  readonly problems: readonly Finding[]
}

export interface ReviewEvidence {
  /** Only for tools, because only they have hints. */
  readonly tool?: ToolEvidence
  readonly scanner: readonly ScanFinding[]
  readonly isSuspicious: boolean
}

interface Surroundings {
  readonly kind: DefinitionKind
  readonly assess: Omit<Context, 'vouched'>
  readonly scan: ScanContext
}

export function gatherEvidence(
  definition: ToolDefinition,
  { kind, assess, scan }: Surroundings,
): ReviewEvidence {
  const scanner = scanDefinition(definition, scan)
  return {
    ...(kind === 'tool' ? { tool: weigh(definition, assess) } : {}),
    scanner,
    isSuspicious: isSuspicious(scanner),
  }
}

function weigh(definition: ToolDefinition, context: Omit<Context, 'vouched'>): ToolEvidence {
  const approved = assessTool(definition, { ...context, vouched: true })
  const not = assessTool(definition, { ...context, vouched: false })
  return {
    hints: HINT_NAMES.map(hint => describeHint(hint, approved, not)),
    callWith: { ifApproved: approved.variant, ifNot: not.variant },
    problems: approved.findings.filter(({ level }) => level !== 'info'),
  }
}

function describeHint(
  hint: (typeof HINT_NAMES)[number],
  approved: Assessment,
  not: Assessment,
): HintEvidence {
  const declared = approved.declared.hints[hint]
  const inferred = approved.inferred[hint]
  return {
    hint: HINTS[hint].wire,
    ...(declared === undefined ? {} : { declared }),
    ...(inferred === undefined ? {} : { inferred }),
    ifApproved: approved.effective[hint],
    ifNot: not.effective[hint],
  }
}

/** Returns the words that led to a judgement, the best evidence first. */
export function wordsOf(evidence: readonly Evidence[], count: number): readonly string[] {
  return evidence.slice(0, count).map(({ from, text }) => `${from} "${text}"`)
}

/** The fields that `scanTool` reads. */
const READ = ['name', 'title', 'description', 'annotations', 'inputSchema', 'outputSchema', '_meta'] as const
const REST = '_meta'

/**
 * Scans all fields of a definition of any kind. Prompts have arguments, instructions have a text, and a server can add
 * any other field.
 */
export function scanDefinition(definition: ToolDefinition, context: ScanContext): readonly ScanFinding[] {
  const rest = Object.fromEntries(
    Object.entries(definition).filter(([field]) => READ.every(read => read !== field)),
  )
  const found = scanTool(definition, context)
  if (Object.keys(rest).length === 0) return found
  const further = scanTool({ name: '', [REST]: rest }, context)
  return [
    ...found,
    ...further
      .filter(({ path }) => path.startsWith(`/${REST}/`))
      .map(finding => ({ ...finding, path: finding.path.slice(REST.length + 1) })),
  ]
}

/**
 * Returns the names that a server's definitions are compared with. Names of the server's own tools are included only if
 * other servers have them too, because otherwise every tool would be compared with thousands of names.
 */
export function surroundingsOf(server: string, known: readonly StoredDefinition[]): ScanContext {
  const tools = known.filter(({ kind, current }) => kind === 'tool' && current !== undefined)
  const foreign = tools.filter(tool => tool.server !== server)
  const names = new Set(foreign.map(({ name }) => readName(name)))
  const own = tools.filter(tool => tool.server === server && names.has(readName(tool.name)))
  return { server, otherTools: [...foreign, ...own].map(idOf) }
}
