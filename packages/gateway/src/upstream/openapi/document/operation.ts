import type { Json } from '../../../protocol/messages.ts'

export type Place = 'path' | 'query' | 'header' | 'cookie'

/** How a list or an object is written into a URL or a header. */
export type Style =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'json'

/** An argument of a tool, and where it goes in the HTTP request. */
export interface Parameter {
  /** The argument's name in the tool. In the request, it is called `name`. */
  readonly argument: string
  readonly name: string
  readonly place: Place
  readonly style: Style
  readonly explode: boolean
  /** True for a path parameter that can contain slashes. */
  readonly isLong: boolean
  /** True if reserved characters such as `/` and `:` stay as they are in a query. */
  readonly isReserved: boolean
}

/** How the argument `body` becomes the body of the request. */
export type Body =
  | { readonly kind: 'json' | 'form' | 'text' | 'binary'; readonly mediaType: string }
  | {
      readonly kind: 'multipart'
      readonly mediaType: string
      /** Members that are files. */
      readonly files: ReadonlySet<string>
      /** Media types of members, where the document gives one. */
      readonly types: Readonly<Record<string, string>>
    }

/** Everything that a call of an operation needs, and the tool that stands for it. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  readonly accept: string
  /** How the answer becomes structured content: as it is, as the member `result`, or not at all. */
  readonly structure: 'object' | 'wrapped' | undefined
  readonly definition: Json & { readonly name: string }
}

/** An operation without a tool, and the reason. */
export interface LeftOut {
  /** The method and the path, such as `POST /pets`. */
  readonly operation: string
  readonly reason: string
}

/** The name of the argument that holds the body. No parameter can have it. */
export const BODY = 'body'
