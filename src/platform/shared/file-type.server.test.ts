// Tests which uploads are accepted and with which type, by bytes and extension.
import { describe, expect, test } from 'vitest';
import { fileName, fileType } from './file-type.server.ts';

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));
const PDF = bytes('%PDF-1.7\n%', [0xe2, 0xe3]);
const PNG = bytes([0x89], 'PNG', [0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF');
const ZIP = bytes('PK', [3, 4, 20, 0]);
const OLE = bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const TEXT = bytes('item;qty\nIT-1;4\n');

test.each<[string, Uint8Array, string]>([
  ['po.pdf', PDF, 'application/pdf'],
  ['PO.PDF', PDF, 'application/pdf'],
  ['photo.png', PNG, 'image/png'],
  ['photo.png', JPEG, 'image/jpeg'],
  ['list.xlsx', ZIP, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['letter.docx', ZIP, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['drawings.zip', ZIP, 'application/zip'],
  ['old.xls', OLE, 'application/vnd.ms-excel'],
  ['mail.msg', OLE, 'application/vnd.ms-outlook'],
  ['items.csv', TEXT, 'text/csv'],
  ['notes.txt', TEXT, 'text/plain'],
  ['notes.txt', bytes([0xff, 0xfe, 0x41, 0, 0x42, 0]), 'text/plain'],
  ['umlaut.txt', bytes([0x47, 0x72, 0xfc, 0xdf, 0x65]), 'text/plain'],
  ['README', TEXT, 'text/plain'],
  ['drawing.dwg', bytes('AC1032', [0, 0, 0, 1]), 'application/octet-stream'],
  ['scan', PDF, 'application/pdf'],
])('%s is taken as %3$s', (name, content, mediaType) => {
  expect(fileType(name, content)).toEqual({ mediaType });
});

describe('refused', () => {
  test.each<[string, Uint8Array]>([
    ['setup.exe', TEXT],
    ['report.pdf', bytes('MZ', [0x90, 0, 3])],
    ['tool', bytes([0x7f], 'ELF', [2, 1])],
    ['run.txt', bytes('#!/bin/sh\nrm -rf /')],
    ['page.html', TEXT],
    ['page.txt', bytes('  \n<!DOCTYPE html><script>alert(1)</script>')],
    ['logo.svg', bytes('anything')],
    ['logo.dat', bytes('<?xml version="1.0"?><svg/>')],
    [
      'wide.txt',
      bytes(
        [0xff, 0xfe],
        [...'<script>'].flatMap((letter) => [letter.charCodeAt(0), 0]),
      ),
    ],
    ['macro.xlsm', ZIP],
    ['shortcut.lnk', bytes([0x4c, 0, 0, 0])],
  ])('%s, a program or a page', (name, content) => {
    expect(fileType(name, content)).toMatchObject({ refused: expect.stringContaining('program or a web page') });
  });

  test.each<[string, Uint8Array]>([
    ['po.pdf', TEXT],
    ['po.pdf', ZIP],
    ['list.xlsx', OLE],
    ['items.csv', PNG],
  ])('%s that is something else', (name, content) => {
    expect(fileType(name, content)).toMatchObject({ refused: expect.stringContaining('does not match its extension') });
  });

  test.each<[string, Uint8Array]>([
    ['cut off.png', PNG.subarray(0, 3)],
    ['damaged.png', bytes('MZ', [0x90, 0, 3])],
    ['picture.png', bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">')],
    ['failed download.png', bytes('<!DOCTYPE html><title>404</title>')],
    ['photo.jpg', PDF],
  ])('%s, a picture that is none', (name, content) => {
    expect(fileType(name, content)).toEqual({
      refused: `${name} cannot be read as a picture. It is damaged or of another type. Save it again and upload that.`,
    });
  });

  test('an empty file', () => {
    expect(fileType('po.pdf', new Uint8Array())).toEqual({ refused: 'po.pdf is empty.' });
  });
});

test.each([
  ['po.pdf', 'po.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\Purchase order.pdf', 'Purchase order.pdf'],
  ['  a \t b\u0000\r\n.pdf ', 'a b.pdf'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['.hidden', 'hidden'],
  ['5".pdf', '5".pdf'],
  ['a<b>"c|d?.txt', 'a<b>"c|d?.txt'],
  ['...', 'file'],
  ['', 'file'],
  ['übersicht 合同.pdf', 'übersicht 合同.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(146)}.pdf`],
])('the name %j is kept as %j', (input, stored) => {
  expect(fileName(input)).toBe(stored);
});

test('a name is never cut in the middle of a letter, and a hostile one is read at once', () => {
  expect(fileName(`a${'😀'.repeat(100)}.pdf`)).toBe(`a${'😀'.repeat(72)}.pdf`);
  // The longest name that a form allows. Quadratic work on it would exceed the time limit of the test.
  for (let i = 0; i < 20; i++) expect(fileName(`a${'.'.repeat(80_000)}b`)).toMatch(/^a\.+/);
});
