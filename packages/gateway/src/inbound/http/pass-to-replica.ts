import { writeJson } from '../../protocol/parse-json.ts'
import { passOn } from '../../replicas/pass-on.ts'
import { ReplicaChecks } from '../../replicas/replica-checks.ts'
import type { Owner, Stamps } from '../../replicas/stamps.ts'
import { refuseUnknownSession } from '../legacy/legacy-transport.ts'
import type { Inbound } from '../wire/inbound.ts'

/** Forwards requests to the replica that holds their session. If a replica stops, its sessions are lost. */
export class ReplicaPasser {
  readonly #replicaChecks: ReplicaChecks

  constructor(stamps: Stamps) {
    this.#replicaChecks = new ReplicaChecks(stamps)
  }

  async pass({ req, res }: Inbound, owner: Owner, body?: unknown): Promise<void> {
    const forwarded = {
      req,
      res,
      to: owner.address,
      ...(body === undefined ? {} : { body: writeJson(body) }),
    }
    const isAnswered =
      (await this.#replicaChecks.isThere(owner, performance.now())) && (await passOn(forwarded))
    if (isAnswered) return
    this.#replicaChecks.forget(owner)
    if (!res.destroyed) refuseUnknownSession(res)
  }
}
