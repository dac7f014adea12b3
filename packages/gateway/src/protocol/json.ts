/** An object of JSON. What stands in it is not known. */
export type Json = { readonly [key: string]: unknown }
