import { tokensAndEras } from './0001-tokens-and-eras.ts'
import { results } from './0002-results.ts'
import { definitions } from './0003-definitions.ts'
import type { Migration } from './migration.ts'

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [tokensAndEras, results, definitions]
