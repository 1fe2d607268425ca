/**
 * What a request really says: left-out fields are dropped, an empty text means "nothing".
 *
 * @example
 * givenFields({ genre: 'RPG', platform: '', name: undefined }) // { genre: 'RPG', platform: null }
 */
export function givenFields<Fields extends object>(fields: Fields): { [Field in keyof Fields]?: Fields[Field] | null } {
  const given = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value === '' ? null : value]],
  )
  return Object.fromEntries(given) as { [Field in keyof Fields]?: Fields[Field] | null } // fromEntries forgets the keys
}
