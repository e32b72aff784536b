import { describe, expect, it } from 'vitest';
import {
  createDatapointRequest,
  findFileProblem,
  labelWithExtension,
  maxFileBytes,
  uploadDeadlineMs,
} from './newDatapoint.ts';

function createFile(size: number, name = 'image.jpg'): File {
  const file = new File([], name);
  Object.defineProperty(file, 'size', { value: size });
  return file;
}

describe('a new datapoint', () => {
  it('contains a typed value with its owner', () => {
    const owner = { experiment_id: 'E' };
    expect(createDatapointRequest({ id: 'D', stamp: null }, ' pH ', owner, { kind: 'value', value: 7.2 })).toEqual({
      body: { datapoint: { _id: 'D', label: 'pH', ownership_info: owner, data_type: 'json', value: 7.2 } },
    });
  });

  it('contains a file under its own name', () => {
    const file = createFile(5);
    const request = createDatapointRequest(
      { id: 'D', stamp: null },
      'Plate 7',
      { workflow_id: 'W' },
      { kind: 'file', file },
    );
    expect(request.body.datapoint).toMatchObject({ data_type: 'file', path: 'image.jpg', label: 'Plate 7.jpg' });
    expect(request.files).toEqual({ 'image.jpg': file });
  });

  it.each([
    ['Plate 7', 'image.jpg', 'Plate 7.jpg'],
    ['Plate 7.JPG', 'image.jpg', 'Plate 7.JPG'],
    ['notes', 'README', 'notes'],
  ])('has a name with the extension of its file: %j with %s is %s', (name, file, label) => {
    expect(labelWithExtension(name, { kind: 'file', file: createFile(5, file) })).toBe(label);
  });

  it('is refused without a file, with an empty file and with one that is too large', () => {
    expect(findFileProblem(null, 'photo')).not.toBe(findFileProblem(null, 'file'));
    expect(findFileProblem(createFile(0), 'file')).toContain('image.jpg');
    expect(findFileProblem(createFile(maxFileBytes + 1), 'file')).toContain('100 MB');
    expect(findFileProblem(createFile(maxFileBytes), 'file')).toBeNull();
  });

  it('has a longer deadline for a larger file', () => {
    expect(uploadDeadlineMs(0)).toBe(300_000);
    expect(uploadDeadlineMs(maxFileBytes)).toBeGreaterThan(uploadDeadlineMs(0));
  });
});

it('a datapoint has the time of its ID when the time zone of the manager is known', () => {
  const identity = { id: '01M7YE59T0JBZT1NBX03K1X8GB', stamp: '2026-11-21T13:00:00' };
  const { body } = createDatapointRequest(identity, 'Weight', {}, { kind: 'value', value: 1 });
  expect(body.datapoint).toMatchObject({ _id: identity.id, data_timestamp: identity.stamp });
});
