import type { Json } from './raw-mcp.ts'

/** Small values that a schema might accept, likeliest first. They differ in the choices that are taken. */
export function* sampleSchema(schema: Json): Generator<unknown> {
  for (let variant = 0; variant < VARIANTS; variant++)
    yield sample(schema, { root: schema, depth: 0, choice: variant >> 1, isWhole: variant % 2 === 1 })
}

const VARIANTS = 16

interface Sampling {
  readonly root: Json
  readonly depth: number
  /** Which alternative to take where there are several. */
  readonly choice: number
  /** True if optional members are included. */
  readonly isWhole: boolean
}

function sample(schema: unknown, at: Sampling): unknown {
  if (typeof schema !== 'object' || schema === null || at.depth > MOST_DEPTH) return undefined
  const of = schema as Json
  const deeper = { ...at, depth: at.depth + 1 }
  if (typeof of.$ref === 'string') return sample(lookUp(at.root, of.$ref), deeper)
  if (of.const !== undefined) return of.const
  if (Array.isArray(of.enum)) return of.enum[0]
  if (Array.isArray(of.allOf)) return sample(mergeAll(of, at.root, at.depth), deeper)
  const choices = (of.oneOf ?? of.anyOf) as readonly unknown[] | undefined
  if (choices !== undefined)
    return sample({ allOf: [withoutChoices(of), choices[at.choice % choices.length] ?? {}] }, deeper)
  return sampleType(of, at)
}

const MOST_DEPTH = 24

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

function withoutChoices({ oneOf: _one, anyOf: _any, ...rest }: Json): Json {
  return rest
}

function lookUp(root: Json, reference: string): unknown {
  const steps = reference.slice(2).split('/')
  return steps.reduce<unknown>(
    (at, step) => asObject(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  )
}

function mergeAll({ allOf, ...own }: Json, root: Json, depth: number): Json {
  const parts = [...(allOf as readonly Json[]), own].map(part => {
    const followed = typeof part.$ref === 'string' ? asObject(lookUp(root, part.$ref)) : part
    return Array.isArray(followed.allOf) && depth < MOST_DEPTH
      ? mergeAll(followed, root, depth + 1)
      : followed
  })
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(part => part.properties)) as Json,
    required: parts.flatMap(part => (Array.isArray(part.required) ? part.required : [])),
  }
}

function sampleType(of: Json, at: Sampling): unknown {
  const types = [of.type].flat().filter(type => type !== 'null')
  const [type = of.properties === undefined ? 'string' : 'object'] = types
  switch (type) {
    case 'object':
      return sampleObject(of, at)
    case 'array':
      return sampleList(of, at)
    case 'integer':
    case 'number':
      return sampleNumber(of)
    case 'boolean':
      return true
    default:
      return sampleText(of)
  }
}

function sampleList({ items = {}, minItems = 1 }: Json, at: Sampling): readonly unknown[] {
  const item = sample(items, { ...at, depth: at.depth + 1 })
  return item === undefined ? [] : Array.from({ length: Math.max(1, Number(minItems)) }, () => item)
}

function sampleObject({ properties, required = [] }: Json, at: Sampling): Json {
  const known = asObject(properties)
  // Every argument of the tool itself, but usually only what is required further down.
  const isWhole = at.depth === 0 || (at.isWhole && at.depth < WHOLE_DEPTH)
  const names = isWhole ? Object.keys(known) : (required as readonly string[])
  const members = names.map(
    name => [name, sample(known[name] ?? {}, { ...at, depth: at.depth + 1 })] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

const WHOLE_DEPTH = 6

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: Json): number {
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1))
  const value = maximum === undefined ? Math.max(1, least) : Math.min(Math.max(1, least), Number(maximum))
  return multipleOf === undefined ? value : Math.ceil(value / Number(multipleOf)) * Number(multipleOf)
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-19T12:00:00Z',
  date: '2026-11-19',
  time: '12:00:00Z',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  email: 'ada@example.com',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}
const CANDIDATES = [
  'a',
  'abc',
  '1',
  'a1',
  'A',
  '12345678',
  '#ffffff',
  'en',
  'en-US',
  '2026-11-19',
  'a@b.example',
  '/abc',
  ...Object.values(FORMATS),
]

function sampleText({ format, pattern, minLength, contentEncoding }: Json): string {
  if (contentEncoding === 'base64') return 'aGVsbG8='
  const known = FORMATS[String(format)]
  if (known !== undefined) return known
  const fitting =
    typeof pattern === 'string' ? CANDIDATES.find(text => new RegExp(pattern, 'u').test(text)) : undefined
  return (fitting ?? 'abc').padEnd(Number(minLength ?? 0), 'a')
}
