import type { ProjectionOptions, ServiceDomain } from '@hintgate/metadata'
import type { Logger } from '../call/log.ts'
import type { CheckedInput } from '../input/checked-input.ts'

/** The toolkit that a tool was written in. It stays the same when another toolkit includes the tool. */
export interface Home {
  readonly name: string
  readonly serviceDomains: readonly ServiceDomain[]
  readonly production: boolean
  readonly projection: ProjectionOptions
  readonly env: CheckedInput | undefined
  readonly log: Logger
}
