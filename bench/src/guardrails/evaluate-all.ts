import { evaluateInjection, type InjectionResults } from './evaluate-injection.ts'
import { evaluatePii, type PiiResults } from './evaluate-pii.ts'
import { evaluateSecrets, type SecretResults } from './evaluate-secrets.ts'
import type { Detectors } from './load-detectors.ts'
import type { Samples } from './load-rows.ts'

export interface GuardrailResults {
  readonly secrets: SecretResults
  readonly pii: PiiResults
  readonly injection: InjectionResults
}

export function evaluateAll(
  samples: Readonly<Record<'secrets' | 'pii' | 'injection', Samples>>,
  detectors: Detectors,
): GuardrailResults {
  return {
    secrets: evaluateSecrets(samples.secrets.rows, detectors),
    pii: evaluatePii(samples.pii.rows, detectors),
    injection: evaluateInjection(samples.injection.rows, detectors),
  }
}
