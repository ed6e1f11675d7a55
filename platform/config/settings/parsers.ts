/** What settings of every subject accept: each says in words what it takes, and refuses anything else with the end of the sentence `NAME …`. */
export function oneOf<const T extends string>(...values: readonly T[]) {
  return {
    accepts: values.map((value) => `\`${value}\``).join(' or '),
    choices: values,
    parse(this: void, text: string): T {
      const found = values.find((value) => value === text)
      if (found === undefined) throw new RangeError(`must be ${values.join(' or ')}`)
      return found
    },
  }
}

export function integer(min: number, max: number, unit = '') {
  return {
    accepts: `whole number from ${min} to ${max}${unit === '' ? '' : ` ${unit}`}`,
    parse(this: void, text: string): number {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= min && value <= max)) throw new RangeError(`must be a whole number from ${min} to ${max}`)
      return value
    },
  }
}

export function decimal(min: number, max: number) {
  return {
    accepts: `number from ${min} to ${max}`,
    parse(this: void, text: string): number {
      const value = /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= min && value <= max)) throw new RangeError(`must be a number from ${min} to ${max}`)
      return value
    },
  }
}

export function address(schemes: readonly string[]) {
  return {
    accepts: `address starting with ${schemes.map((scheme) => `\`${scheme}//\``).join(' or ')}`,
    parse(this: void, text: string): string {
      const scheme = schemes.find((candidate) => text.startsWith(`${candidate}//`))
      // pg accepts an empty host with ?host=/folder, which the URL standard refuses: give it one to parse by.
      if (scheme === undefined || !URL.canParse(text.replace('@/', '@localhost/'))) {
        throw new RangeError(`must be an address starting with ${schemes.map((each) => `${each}//`).join(' or ')}`)
      }
      return text
    },
  }
}

export const text = (max = 500) => ({
  accepts: `text of at most ${max} characters`,
  parse(this: void, value: string): string {
    if (value.length > max || /\p{Cc}/u.test(value))
      throw new RangeError(`must be text of at most ${max} characters without control characters`)
    return value
  },
})

export function commaSeparated<T>(item: (text: string) => T): (text: string) => readonly T[] {
  return (list) => list.split(',').map((part) => item(part.trim()))
}

export const mebi = 1024 * 1024
