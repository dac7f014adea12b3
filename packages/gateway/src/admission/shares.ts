/** What one caller has open at the moment. */
export interface Share {
  /** Requests whose body has not come yet. */
  body: number
  call: number
  stream: number
  /** Of long request bodies whose calls are not over. */
  bytes: number
  /** Bytes of long answers that were sent and not read. */
  unread: number
}

/** Names are cheap to keep, and who was here comes back; only many of them are gone through. */
const MANY = 1000

/** Who has how much open. A share is kept when it is empty: making it anew for every call would cost more. */
export class Shares {
  readonly #shares = new Map<string, Share>()

  of(principal: string): Share {
    const known = this.#shares.get(principal)
    if (known !== undefined) return known
    if (this.#shares.size >= MANY) this.#forgetEmpty()
    const share = { body: 0, call: 0, stream: 0, bytes: 0, unread: 0 }
    this.#shares.set(principal, share)
    return share
  }

  #forgetEmpty(): void {
    for (const [principal, { body, call, stream, bytes, unread }] of this.#shares)
      if (body + call + stream + bytes + unread === 0) this.#shares.delete(principal)
  }
}
