// The parts of the gateway's audit log. The gateway does not export them, because nothing else outside the gateway
// imports them.

interface Parts {
  readonly AuditRecorder: new (deps: object) => Recorder
  readonly Sealer: new (secret: Buffer) => object
  readonly verifyChains: (store: object, sealer: object) => Promise<Verified>
  readonly openStore: (url: string) => Promise<Store>
}

export interface Recorder {
  intent(entry: object): Promise<void> | undefined
  outcome(entry: object): Promise<void> | undefined
  close(): Promise<void>
}

interface Store {
  readonly audit: { query(request: object): Promise<{ calls: readonly unknown[] }> }
  close(): Promise<void>
}

interface Verified {
  readonly rows: number
  readonly problemCount: number
}

const PATHS = [
  'audit/audit-recorder.js',
  'audit/sealer.js',
  'audit/verify-chains.js',
  'store/open/open-store.js',
]

export async function loadAuditParts(): Promise<Parts> {
  const load = async (path: string): Promise<object> =>
    (await import(new URL(`../../../packages/gateway/dist/${path}`, import.meta.url).href)) as object
  return Object.assign({}, ...(await Promise.all(PATHS.map(load)))) as Parts
}
