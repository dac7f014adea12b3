import { basename } from 'node:path'
import { isAddress, isPublicAddress } from '../../base/public-address.ts'
import type { Json } from '../../protocol/messages.ts'
import type { ApiTarget } from './api-target.ts'
import { type BaseUrl, findBaseUrl } from './document/base-url.ts'
import { DocumentError } from './document/document-error.ts'
import { asObject, asText } from './document/follow.ts'
import { loadDocument } from './document/load-document.ts'
import type { LeftOut, Operation } from './document/operation.ts'
import { readOperations } from './document/read-operations.ts'

/** An API that is ready to be called. */
export interface Api {
  readonly base: BaseUrl
  /** The files of the document, each with what `markOf` returned just before the file was read. */
  readonly files: ReadonlyMap<string, string>
  readonly operations: ReadonlyMap<string, Operation>
  readonly leftOut: readonly LeftOut[]
  readonly info: { readonly name: string; readonly version: string; readonly description: string | undefined }
}

/** Reads an API's document. Throws `DocumentError`, which says what is wrong with it. */
export async function loadApi(target: ApiTarget): Promise<Api> {
  const { root, files } = await loadDocument(target.file)
  const base = findBaseUrl(root, target.url, basename(target.file))
  if (base.isFromDocument && isAddress(base.url.hostname) && !isPublicAddress(base.url.hostname))
    throw new DocumentError(
      `${basename(target.file)}: "servers" gives ${base.url.origin}, which is not on the public internet; add "url" to the server's config if it is right`,
    )
  const { operations, leftOut } = readOperations(root, {
    include: target.include,
    exclude: target.exclude,
    ownHeaders: ownHeadersOf(target),
    baseUrl: base.url,
    isFromDocument: base.isFromDocument,
  })
  return {
    base,
    files,
    operations: new Map(operations.map(operation => [operation.definition.name, operation])),
    leftOut,
    info: describe(asObject(root.info)),
  }
}

/** Returns the names of the headers that the config sets, in lower case. */
function ownHeadersOf({ headers, auth }: ApiTarget): ReadonlySet<string> {
  const own = auth === undefined || auth.kind === 'clientCredentials' ? 'authorization' : auth.header
  return new Set([...Object.keys(headers), own].map(name => name.toLowerCase()))
}

const MOST_TEXT = 2000

function describe({ title, version, description }: Json): Api['info'] {
  return {
    name: (asText(title) ?? 'API').slice(0, 200),
    version: (asText(version) ?? '0').slice(0, 60),
    description: asText(description)?.slice(0, MOST_TEXT),
  }
}
