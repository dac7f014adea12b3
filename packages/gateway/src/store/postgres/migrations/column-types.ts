/** Compared byte by byte, like everywhere else, whatever the language of the database. */
export const TEXT = 'text collate "C"'
