import type { Feature, LinearModel } from '@hintgate/metadata'

interface Found {
  readonly rule: string
  readonly start: number
  readonly end: number
  readonly confidence: number
}

/** The detectors to measure. Passed in, so that a test can use simpler ones. */
export interface Detectors {
  readonly findSecrets: (text: string) => readonly Found[]
  readonly findPii: (text: string) => readonly (Found & { readonly kind: string })[]
  readonly findInjection: (text: string) => readonly Found[]
  readonly findHiddenText: (text: string) => readonly Found[]
}

/** The parts of the detector of injections that training needs. */
export interface LearningDetectors extends Detectors {
  /** The text as the rules read it, and its judgement by learned weights. */
  readonly readText: (text: string) => object
  readonly readFeatures: (read: object) => readonly Feature<string>[]
  readonly weighText: (read: object, model?: LinearModel) => readonly Found[]
}

const FILES = [
  'secrets/find-secrets',
  'personal/find-pii',
  'injection/find-injection',
  'injection/read-features',
  'injection/weigh-text',
  'text/find-hidden-text',
]

/** The built detectors. The gateway does not export them, so they are loaded from its build folder. */
export async function loadDetectors(): Promise<LearningDetectors> {
  const gateway = import.meta.resolve('@hintgate/gateway/package.json')
  const modules = await Promise.all(
    FILES.map((name): Promise<object> => import(new URL(`dist/detect/${name}.js`, gateway).href)),
  )
  const all: object = Object.assign({}, ...modules)
  if (!isDetectors(all)) throw new Error('Detectors not found. Build the gateway first.')
  return all
}

function isDetectors(all: object): all is LearningDetectors {
  return [
    'findSecrets',
    'findPii',
    'findInjection',
    'findHiddenText',
    'readText',
    'readFeatures',
    'weighText',
  ].every(name => typeof Reflect.get(all, name) === 'function')
}
