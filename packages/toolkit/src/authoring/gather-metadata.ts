import {
  type Behavior,
  CATEGORIES,
  type Finding,
  HINTS,
  type HintValues,
  humaniseName,
  nearest,
  PRESETS,
  RISK_HINTS,
  readDefinition,
  SPEC_HINTS,
  type ToolMetadata,
  validateMetadata,
} from '@hintgate/metadata'
import type { AnyTool } from './tool-spec.ts'

export interface Gathered {
  readonly metadata: ToolMetadata
  readonly findings: readonly Finding[]
}

type Said = Omit<AnyTool, 'execute' | 'preview' | 'effects' | 'input' | 'output'>

interface Surroundings {
  readonly serviceDomains: AnyTool['serviceDomains']
  readonly production: boolean
}

/** Combines everything that an author declares about a tool into one metadata object, with findings. */
export function gatherMetadata(said: Said, { serviceDomains, production }: Surroundings): Gathered {
  const annotations = readAnnotations(said)
  const behavior: Behavior = { ...kindHints(said), ...annotations.hints, ...said.behavior }
  const title = said.title ?? said.annotations?.title ?? titleOfKind(said)
  const domains = said.serviceDomains ?? serviceDomains
  const metadata: ToolMetadata = {
    ...(title === undefined ? {} : { title }),
    ...(domains === undefined || domains.length === 0 ? {} : { classification: { serviceDomains: domains } }),
    ...(Object.keys(behavior).length === 0 ? {} : { behavior }),
    ...(said.action === undefined ? {} : { action: said.action }),
    ...(said.tags === undefined ? {} : { tags: said.tags }),
    ...(said.extras === undefined ? {} : { extras: said.extras }),
    ...(said.strict === undefined ? {} : { strict: said.strict }),
    ...(said._meta === undefined ? {} : { _meta: said._meta }),
  }
  return {
    metadata,
    findings: [
      ...checkKind(said),
      ...annotations.findings,
      ...checkAgreement(said, annotations.hints),
      ...validateMetadata(metadata, { production }),
    ],
  }
}

/**
 * Returns a title for a tool with a preset or a category. Such a tool gets complete annotations, which include a title.
 */
function titleOfKind({ preset, category, name }: Said): string | undefined {
  return preset === undefined && category === undefined ? undefined : humaniseName(name)
}

function kindHints({ preset, category }: Said): HintValues {
  return {
    ...(category !== undefined && Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category].hints : {}),
    ...(preset !== undefined && Object.hasOwn(PRESETS, preset) ? PRESETS[preset] : {}),
  }
}

function checkKind({ preset, category }: Said): Finding[] {
  const findings = [
    ...checkWord(preset, 'preset', Object.keys(PRESETS)),
    ...checkWord(category, 'category', Object.keys(CATEGORIES)),
  ]
  if (preset !== undefined && category !== undefined)
    findings.push({
      code: 'dialect-conflict',
      level: 'error',
      path: 'category',
      message: 'preset and category cannot be combined, because both set the four flags.',
      fix: 'Remove one of them.',
    })
  return findings
}

function checkWord(word: unknown, path: string, known: readonly string[]): Finding[] {
  if (word === undefined || known.includes(word as string)) return []
  const meant = typeof word === 'string' ? nearest(word, known) : undefined
  const suggestion = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
  const message = `${JSON.stringify(word)} is not a valid ${path}.${suggestion}`
  return [{ code: 'wrong-type', level: 'error', path, message, fix: `Use one of ${known.join(', ')}.` }]
}

/**
 * Reads an author's annotations. A name that is not in the specification is an error, because clients would drop it.
 */
function readAnnotations({ annotations }: Said): { hints: HintValues; findings: Finding[] } {
  if (annotations === undefined) return { hints: {}, findings: [] }
  const { declared, findings } = readDefinition({ name: 'tool', annotations })
  const isSpecs = (hint: string) => isIn(SPEC_HINTS, hint) && !Object.hasOwn(annotations, hint)
  const hints = Object.fromEntries(Object.entries(declared.hints).filter(([hint]) => isSpecs(hint)))
  return { hints, findings: findings.map(toAuthors) }
}

function isIn(list: readonly string[], word: string): boolean {
  return list.includes(word)
}

function toAuthors(finding: Finding): Finding {
  const isStranger = finding.code === 'unknown-annotation' || finding.code === 'bare-hint-name'
  if (!isStranger) return finding
  const risk = RISK_HINTS.find(hint => finding.path === `annotations.${HINTS[hint].wire}`)
  const fix = risk === undefined ? finding.fix : `Set \`behavior.${risk}\` instead.`
  return { ...finding, code: 'unknown-field', level: 'error', fix }
}

function checkAgreement({ behavior }: Said, annotated: HintValues): Finding[] {
  const disagreeing = SPEC_HINTS.filter(hint => {
    const [a, b] = [annotated[hint], behavior?.[hint]]
    return a !== undefined && b !== undefined && a !== b
  })
  return disagreeing.map(hint => ({
    code: 'dialect-conflict',
    level: 'error',
    path: `annotations.${HINTS[hint].wire}`,
    message: `annotations and behavior declare different values for ${HINTS[hint].label}.`,
    fix: 'Declare the hint in one place only.',
  }))
}
