// The parts of the gateway's store that the measurements use. The gateway does not export them.

export interface AuditRow {
  readonly [column: string]: string | number
}

interface Store {
  readonly audit: {
    register(writer: object, sealStart: (id: number) => object): Promise<number>
    append(batch: object): Promise<boolean>
  }
  readonly sessions: {
    find(id: string): Promise<unknown>
    save(session: object, freshSince: number): Promise<void>
  }
  readonly tokens: { insert(token: object): Promise<void> }
  close(): Promise<void>
}

export async function openStore(url: string): Promise<Store> {
  const place = new URL('../../../packages/gateway/dist/store/open/open-store.js', import.meta.url)
  const parts = (await import(place.href)) as { openStore(url: string): Promise<Store> }
  return parts.openStore(url)
}
