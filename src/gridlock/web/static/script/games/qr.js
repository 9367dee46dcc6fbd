/**
 * QR codes (ISO/IEC 18004): bytes, error correction L, versions 1 to 40. A code is a square of
 * modules, dark or light.
 */

const VERSIONS = 40;
/** For each version, how many words of error correction a block has, and how many blocks there are. */
const WORDS_PER_BLOCK = [
  7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
  28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
];
const BLOCKS = [
  1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
  8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
];
const LEVEL_L = 0b01;
const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11];

/** Whether each mask turns the module in a row and a column. @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * @param {Uint8Array} bytes
 * @returns {boolean[][]} The rows of the smallest code that holds them, true where it is dark.
 */
export function encode(bytes) {
  let version = 1;
  while (version <= VERSIONS && capacity(version) < bytes.length) version += 1;
  if (version > VERSIONS) throw new RangeError(`a code holds ${capacity(VERSIONS)} bytes, not ${bytes.length}`);
  const words = interleave(version, wordsOf(version, bytes));
  const square = new Square(version);
  square.fill(words);
  const masked = MASKS.map((_, mask) => square.masked(mask));
  const penalties = masked.map(penalty);
  return masked[penalties.indexOf(Math.min(...penalties))];
}

/** The modules that are left for data. @param {number} version */
function dataModules(version) {
  const all = (16 * version + 128) * version + 64;
  if (version === 1) return all;
  const count = Math.floor(version / 7) + 2; // of alignment patterns in a row
  return all - (25 * count - 10) * count + 55 - (version >= 7 ? 36 : 0);
}

/** @param {number} version */
const correctionWords = (version) => WORDS_PER_BLOCK[version - 1] * BLOCKS[version - 1];

/** @param {number} version */
const dataWords = (version) => Math.floor(dataModules(version) / 8) - correctionWords(version);

/** The bits that tell the number of bytes. @param {number} version */
const lengthBits = (version) => (version < 10 ? 8 : 16);

/** How many bytes a code of some version holds. @param {number} version */
function capacity(version) {
  return dataWords(version) - Math.ceil((4 + lengthBits(version)) / 8);
}

/**
 * What is written, with its mode, its length, its end and what fills the rest.
 * @param {number} version
 * @param {Uint8Array} bytes
 */
function wordsOf(version, bytes) {
  /** @type {number[]} */
  const bits = [];
  const push = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  push(BYTE_MODE, 4);
  push(bytes.length, lengthBits(version));
  bytes.forEach((byte) => push(byte, 8));
  push(0, 4);
  const words = new Uint8Array(dataWords(version));
  for (let word = bits.length / 8; word < words.length; word += 1) words[word] = PADDING[(word - bits.length / 8) % 2];
  bits.forEach((bit, place) => (words[place >> 3] |= bit << (7 - (place & 7))));
  return words;
}

/**
 * Splits the words into blocks, gives each its error correction, and writes them in turns.
 * @param {number} version
 * @param {Uint8Array} words
 */
function interleave(version, words) {
  const blocks = BLOCKS[version - 1];
  const longer = words.length % blocks; // the last blocks have one word more
  const shortest = Math.floor(words.length / blocks);
  const divisor = generator(WORDS_PER_BLOCK[version - 1]);
  /** @type {Uint8Array[]} */
  const data = [];
  for (let block = 0, begin = 0; block < blocks; block += 1) {
    const end = begin + shortest + (block >= blocks - longer ? 1 : 0);
    data.push(words.subarray(begin, end));
    begin = end;
  }
  return [...inTurns(data), ...inTurns(data.map((block) => remainder(block, divisor)))];
}

/** @param {Uint8Array[]} blocks */
function inTurns(blocks) {
  const longest = Math.max(...blocks.map(({ length }) => length));
  /** @type {number[]} */
  const words = [];
  for (let place = 0; place < longest; place += 1) {
    for (const block of blocks) if (place < block.length) words.push(block[place]);
  }
  return words;
}

/**
 * The product of two elements of the field of 256 elements that the codes use.
 * @param {number} one
 * @param {number} other
 */
function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/**
 * The polynomial of Reed and Solomon by which words are divided, without its leading 1.
 * @param {number} degree
 */
function generator(degree) {
  const result = new Uint8Array(degree);
  result[degree - 1] = 1;
  for (let root = 1, round = 0; round < degree; round += 1, root = multiply(root, 2)) {
    for (let place = 0; place < degree; place += 1) {
      result[place] = multiply(result[place], root) ^ (result[place + 1] ?? 0);
    }
  }
  return result;
}

/**
 * @param {Uint8Array} words
 * @param {Uint8Array} divisor
 */
function remainder(words, divisor) {
  const rest = new Uint8Array(divisor.length);
  for (const word of words) {
    const factor = word ^ rest[0];
    rest.copyWithin(0, 1);
    rest[rest.length - 1] = 0;
    divisor.forEach((value, place) => (rest[place] ^= multiply(value, factor)));
  }
  return rest;
}

/**
 * Appends to a value the remainder by which errors in it are found.
 * @param {number} value
 * @param {number} divisor
 * @param {number} bits Those of the remainder.
 */
function checked(value, divisor, bits) {
  let rest = value;
  for (let round = 0; round < bits; round += 1) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor);
  return (value << bits) | rest;
}

/** A code in the making: its patterns, and where data may stand. */
class Square {
  /** @param {number} version */
  constructor(version) {
    this.version = version;
    this.size = 17 + 4 * version;
    /** @type {boolean[][]} */
    this.rows = Array.from({ length: this.size }, () => Array(this.size).fill(false));
    /** @type {boolean[][]} */
    this.isPattern = Array.from({ length: this.size }, () => Array(this.size).fill(false));
    this.#drawPatterns();
  }

  /**
   * @param {number} row
   * @param {number} column
   * @param {boolean} isDark
   */
  #set(row, column, isDark) {
    this.rows[row][column] = isDark;
    this.isPattern[row][column] = true;
  }

  #drawPatterns() {
    const { size } = this;
    for (let place = 0; place < size; place += 1) {
      this.#set(6, place, place % 2 === 0);
      this.#set(place, 6, place % 2 === 0);
    }
    for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) this.#drawRings(row, column, 4, [0, 1, 3]);
    const places = alignments(this.version);
    const last = places.length - 1;
    places.forEach((row, i) => places.forEach((column, j) => {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!isFinder) this.#drawRings(row, column, 2, [0, 2]);
    }));
    this.#drawFormat(this, 0);
    this.#drawVersion();
  }

  /**
   * Draws squares around a module, as far as they are on the code.
   * @param {number} row
   * @param {number} column
   * @param {number} radius
   * @param {number[]} dark The distances at which modules are dark.
   */
  #drawRings(row, column, radius, dark) {
    for (let down = -radius; down <= radius; down += 1) {
      for (let across = -radius; across <= radius; across += 1) {
        const isOn = [row + down, column + across].every((place) => place >= 0 && place < this.size);
        if (isOn) this.#set(row + down, column + across, dark.includes(Math.max(Math.abs(down), Math.abs(across))));
      }
    }
  }

  /**
   * Writes twice which error correction and which mask there is.
   * @param {{rows: boolean[][]}} target
   * @param {number} mask
   */
  #drawFormat({ rows }, mask) {
    const { size } = this;
    const bits = checked((LEVEL_L << 3) | mask, 0x537, 10) ^ 0x5412;
    const isDark = (/** @type {number} */ bit) => ((bits >> bit) & 1) === 1;
    for (let bit = 0; bit < 15; bit += 1) {
      // Around the finder at the top left, past the timing patterns; then beside the other two.
      const [row, column] = bit < 8 ? [bit < 6 ? bit : bit + 1, 8] : [8, bit === 8 ? 7 : 14 - bit];
      const [otherRow, otherColumn] = bit < 8 ? [8, size - 1 - bit] : [size - 15 + bit, 8];
      rows[row][column] = isDark(bit);
      rows[otherRow][otherColumn] = isDark(bit);
      this.isPattern[row][column] = this.isPattern[otherRow][otherColumn] = true;
    }
    rows[size - 8][8] = true;
    this.isPattern[size - 8][8] = true;
  }

  #drawVersion() {
    if (this.version < 7) return;
    const bits = checked(this.version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const near = Math.floor(bit / 3);
      const far = this.size - 11 + (bit % 3);
      this.#set(near, far, ((bits >> bit) & 1) === 1);
      this.#set(far, near, ((bits >> bit) & 1) === 1);
    }
  }

  /**
   * Writes words where no pattern is: in pairs of columns from the right, up and down in turns.
   * @param {number[]} words
   */
  fill(words) {
    let place = 0;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5; // the timing pattern has this column to itself
      const isUp = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.size; step += 1) {
        const row = isUp ? this.size - 1 - step : step;
        for (const column of [right, right - 1]) {
          if (this.isPattern[row][column] || place >= 8 * words.length) continue;
          this.rows[row][column] = ((words[place >> 3] >> (7 - (place & 7))) & 1) === 1;
          place += 1;
        }
      }
    }
  }

  /**
   * The code under a mask, which keeps data from looking like patterns.
   * @param {number} mask
   * @returns {boolean[][]}
   */
  masked(mask) {
    const rows = this.rows.map((row, y) =>
      row.map((isDark, x) => (this.isPattern[y][x] ? isDark : isDark !== MASKS[mask](y, x))));
    this.#drawFormat({ rows }, mask);
    return rows;
  }
}

/** The rows and columns at which alignment patterns stand. @param {number} version */
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.floor((version * 4 + count * 2 + 1) / (count * 2 - 2)) * 2;
  const last = 10 + 4 * version;
  return [6, ...Array.from({ length: count - 1 }, (_, place) => last - (count - 2 - place) * step)];
}

const FINDERS = ["10111010000", "00001011101"];

/**
 * How hard a code is to read: long runs, blocks, what looks like a finder, too much of one colour.
 * @param {boolean[][]} rows
 */
function penalty(rows) {
  const size = rows.length;
  const lines = rows.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
  const columns = lines.map((_, x) => lines.map((line) => line[x]).join(""));
  let points = 0;
  for (const line of [...lines, ...columns]) {
    for (const [{ length }] of line.matchAll(/0{5,}|1{5,}/g)) points += length - 2;
    for (const finder of FINDERS) {
      for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) points += 40;
    }
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const isDark = rows[y][x];
      if (isDark === rows[y][x - 1] && isDark === rows[y - 1][x] && isDark === rows[y - 1][x - 1]) points += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length / (size * size);
  return points + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
