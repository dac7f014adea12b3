import type { ProjectionOptions, ServiceDomain } from '@hintgate/metadata'
import type { Logger } from '../call/log.ts'
import type { CheckedInput } from '../input/checked-input.ts'

/**
 * The settings of the toolkit in which a tool was defined. The tool keeps these settings when another toolkit includes
 * it.
 */
export interface Home {
  readonly name: string
  readonly serviceDomains: readonly ServiceDomain[]
  readonly production: boolean
  readonly projection: ProjectionOptions
  readonly env: CheckedInput | undefined
  readonly log: Logger
}
