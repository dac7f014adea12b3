interface Found {
  readonly rule: string
  readonly start: number
  readonly end: number
  readonly confidence: number
}

/** What is measured. Handed in, so that a test can measure something simpler. */
export interface Detectors {
  readonly findSecrets: (text: string) => readonly Found[]
  readonly findPii: (text: string) => readonly (Found & { readonly kind: string })[]
  readonly findInjection: (text: string) => readonly Found[]
  readonly findHiddenText: (text: string) => readonly Found[]
}

const FILES = [
  'secrets/find-secrets',
  'personal/find-pii',
  'injection/find-injection',
  'text/find-hidden-text',
]

/** The detectors as they were built. They are no part of the gateway's public index, so they are found beside it. */
export async function loadDetectors(): Promise<Detectors> {
  const gateway = import.meta.resolve('@hintgate/gateway/package.json')
  const modules = await Promise.all(
    FILES.map((name): Promise<object> => import(new URL(`dist/detect/${name}.js`, gateway).href)),
  )
  const all: object = Object.assign({}, ...modules)
  if (!isDetectors(all)) throw new Error('the gateway has no detectors: build it first')
  return all
}

function isDetectors(all: object): all is Detectors {
  return ['findSecrets', 'findPii', 'findInjection', 'findHiddenText'].every(
    name => typeof Reflect.get(all, name) === 'function',
  )
}
