import { UI_EXTENSION } from '../protocol/apps.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'

/** The former place of the URI in `_meta`. */
const FORMER_KEY = 'ui/resourceUri'
const UI_SCHEME = 'ui://'

interface Defined {
  readonly definition: Json
}

/** Whether a client says that it renders apps, and therefore keeps tools that only apps can use from its model. */
export function rendersApps(capabilities: Json): boolean {
  const { extensions } = capabilities
  return isJsonObject(extensions) && isJsonObject(extensions[UI_EXTENSION])
}

function uiOf({ definition }: Defined): { readonly meta: Json; readonly ui: Json } {
  const meta = isJsonObject(definition._meta) ? definition._meta : {}
  return { meta, ui: isJsonObject(meta.ui) ? meta.ui : {} }
}

/** Returns the URI of the app that shows the results of a tool. It is part of the definition, which was reviewed. */
export function appOf(tool: Defined): string | undefined {
  const { meta, ui } = uiOf(tool)
  const uri = ui.resourceUri ?? meta[FORMER_KEY]
  return typeof uri === 'string' && uri.startsWith(UI_SCHEME) && uri.length > UI_SCHEME.length
    ? uri
    : undefined
}

/** Whether a tool is for models, for apps, or for both. By default, it is for both. */
export function isFor(user: 'model' | 'app', tool: Defined): boolean {
  const { visibility } = uiOf(tool).ui
  return !Array.isArray(visibility) || visibility.includes(user)
}

/**
 * Returns the `_meta` of a tool with another address for its app, and without an address if there is none. Other
 * members stay as they are.
 */
export function withApp(meta: Json, address: string | undefined): Json {
  const { [FORMER_KEY]: former, ...others } = meta
  const { resourceUri, ...rest } = isJsonObject(meta.ui) ? meta.ui : {}
  if (resourceUri === undefined && former === undefined) return meta
  if (address === undefined) return isJsonObject(meta.ui) ? { ...others, ui: rest } : others
  return {
    ...others,
    ui: { ...rest, resourceUri: address },
    ...(former === undefined ? {} : { [FORMER_KEY]: address }),
  }
}
