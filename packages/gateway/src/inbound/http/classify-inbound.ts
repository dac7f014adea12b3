type Sdk = typeof import('@modelcontextprotocol/server')
export type Classify = Sdk['classifyInboundRequest']

let loading: Promise<Classify> | undefined
let classify: Classify | undefined

/** The SDK tells the eras apart. It is big, and nothing but a request needs it, so the door opens before it is loaded. */
export function loadClassify(): Promise<Classify> {
  loading ??= import('@modelcontextprotocol/server').then(sdk => {
    classify = sdk.classifyInboundRequest
    return classify
  })
  return loading
}

/** Undefined until it is loaded. */
export function classifyIfLoaded(): Classify | undefined {
  return classify
}
