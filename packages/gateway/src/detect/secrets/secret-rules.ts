import type { SecretRule } from './secret-rule.ts'
import { CLOUD_SECRETS } from './secret-rules-clouds.ts'
import { CODE_SECRETS } from './secret-rules-code.ts'
import { GENERAL_SECRETS, MODEL_SECRETS } from './secret-rules-general.ts'
import { SERVICE_SECRETS } from './secret-rules-services.ts'

/** Our own table (FACTS §5): formats as their makers publish them, with checksums where they have one. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...CODE_SECRETS,
  ...CLOUD_SECRETS,
  ...SERVICE_SECRETS,
  ...MODEL_SECRETS,
  ...GENERAL_SECRETS,
]
