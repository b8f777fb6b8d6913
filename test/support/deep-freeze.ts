// Makes a value and all that it holds unchangeable: a change of it throws where it is made.
const frozen = new WeakSet<object>()

export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  frozen.add(value)
  // Freezing keeps the properties of a Map or Set, and not what is in it.
  if (value instanceof Map || value instanceof Set) {
    for (const name of ['set', 'add', 'delete', 'clear'])
      Object.defineProperty(value, name, {
        value: () => {
          throw new TypeError(`${name}: the ${value.constructor.name} is frozen`)
        },
      })
    for (const entry of value.entries()) entry.forEach(deepFreeze)
  }
  for (const one of Object.values(value)) deepFreeze(one)
  return Object.freeze(value)
}
