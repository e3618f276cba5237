/**
 * Values that `sort` takes, as a regular expression that every dialect reads: each of the fields at most once, in any
 * order and each with an optional minus sign. A field that is named twice would need a look ahead, which some dialects
 * lack, so every order is written out; there are four fields at most.
 */
export function sortPattern(fields: readonly string[]): string {
  return `^${ordersOf(fields)}$`;
}

function ordersOf(fields: readonly string[]): string {
  const orders = fields.map((field) => {
    const rest = ordersOf(fields.filter((each) => each !== field));
    return `-?${escaped(field)}${rest === '' ? '' : `(,${rest})?`}`;
  });
  return orders.length > 1 ? `(${orders.join('|')})` : orders.join('');
}

function escaped(field: string): string {
  return field.replaceAll('.', '\\.');
}
