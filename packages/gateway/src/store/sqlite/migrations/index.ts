import { tokensAndEras } from './0001-tokens-and-eras.ts'
import type { Migration } from './migration.ts'

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [tokensAndEras]
