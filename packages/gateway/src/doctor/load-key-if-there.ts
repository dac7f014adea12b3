import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecretKey } from '../tokens/secret-key.ts'

/** The secret key, or undefined where there is none yet: nobody makes one by looking. */
export function loadKeyIfThere(home: string, env: NodeJS.ProcessEnv = process.env): Buffer | undefined {
  const isGiven = env.HINTGATE_SECRET_KEY !== undefined || env.HINTGATE_SECRET_KEY_FILE !== undefined
  return isGiven || existsSync(join(home, 'secret.key')) ? loadSecretKey(home, env) : undefined
}
