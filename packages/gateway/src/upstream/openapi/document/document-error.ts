/** A document from which no tools can be created. The message names the file, the problem and the fix. */
export class DocumentError extends Error {}

/** A part of a document that cannot be used. The operation that needs it is left out, with this message as the reason. */
export class UnusablePart extends Error {}
