import {
  type Behavior,
  type Finding,
  projectMetadata,
  readDefinition,
  type ToolDefinition,
  type ToolMetadata,
  type ToolRecord,
  validateMetadata,
} from '@hintgate/metadata'
import { gatherMetadata } from '../authoring/gather-metadata.ts'
import { META_PREVIEW } from '../authoring/prepare-tool.ts'
import type { AnyTool, Claims } from '../authoring/tool-spec.ts'
import type { Home } from '../start/home.ts'

/** A toolkit's metadata for one tool of a mounted server. It overrides what the server declares. */
export interface Overlay
  extends Claims,
    Pick<Partial<AnyTool>, 'title' | 'description' | 'action' | 'tags' | 'extras'> {}

interface OverlaidTool {
  readonly definition: ToolDefinition
  readonly metadata: ToolMetadata
  readonly findings: readonly Finding[]
}

interface OverlayContext {
  readonly overlay: Overlay | undefined
  readonly prefix: string
  readonly home: Home
}

/** Applies metadata to a definition. Everything else stays as it is, including unknown fields. */
export function applyOverlay(
  original: ToolDefinition,
  { overlay, prefix, home }: OverlayContext,
): OverlaidTool {
  const { declared } = readDefinition(original)
  const said = { name: original.name, description: '', ...overlay }
  const gathered = gatherMetadata(said, { serviceDomains: undefined, production: false })
  const metadata = merge(declared, gathered.metadata)
  const { annotations, _meta, title } = projectMetadata(metadata, home.projection)
  const meta = { ...asRecord(original._meta), ..._meta, ...renamePreview(original, prefix) }
  const name = `${prefix}${original.name}`
  return {
    metadata,
    definition: {
      ...original,
      name,
      ...(overlay?.description === undefined ? {} : { description: overlay.description }),
      ...(title === undefined ? {} : { title }),
      ...(annotations === undefined
        ? {}
        : { annotations: { ...asRecord(original.annotations), ...annotations } }),
      ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    },
    findings: judge(metadata, { gathered: gathered.findings, overlay, home }),
  }
}

function merge(declared: ToolRecord, over: ToolMetadata): ToolMetadata {
  const { hints, operations, reach, serviceDomains, title, action, tags, extras } = declared
  const behavior: Behavior = {
    ...hints,
    ...(operations === undefined ? {} : { operations }),
    ...(reach === undefined ? {} : { reach }),
    ...over.behavior,
  }
  const said = {
    ...(title === undefined ? {} : { title }),
    ...(action === undefined ? {} : { action }),
    ...(tags === undefined ? {} : { tags }),
    ...(extras === undefined ? {} : { extras }),
    ...(serviceDomains === undefined ? {} : { classification: { serviceDomains } }),
  }
  return { ...said, ...over, ...(Object.keys(behavior).length === 0 ? {} : { behavior }) }
}

interface Judging {
  readonly gathered: readonly Finding[]
  readonly overlay: Overlay | undefined
  readonly home: Home
}

/**
 * Reports the problems of a mounted tool. If the author has given no overlay for it, errors become warnings, because
 * the author cannot correct the mounted server.
 */
function judge(metadata: ToolMetadata, { gathered, overlay, home }: Judging): readonly Finding[] {
  const findings = validateMetadata(metadata, { production: home.production && overlay !== undefined })
  if (overlay === undefined)
    return findings.map(finding => (finding.level === 'error' ? { ...finding, level: 'warning' } : finding))
  // A contradiction within the overlay shows up again in the combined metadata, but is reported only once.
  const known = new Set(findings.map(({ code, path }) => `${code} ${path}`))
  const alone = gathered.filter(
    ({ code, path }) => code !== 'flags-undeclared' && !known.has(`${code} ${path}`),
  )
  return [...alone, ...findings]
}

function renamePreview({ _meta }: ToolDefinition, prefix: string): object {
  const preview = asRecord(asRecord(_meta)[META_PREVIEW])
  return typeof preview.tool === 'string' ? { [META_PREVIEW]: { tool: `${prefix}${preview.tool}` } } : {}
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
