// The components of the view for React, with its markup, style sheet and tokens.

export type {
  BoxProps,
  Column,
  DividerProps,
  SpacerProps,
  TableCellProps,
  TableProps,
  TableRowProps,
  TransitionProps,
} from "./box";
export { Box, Col, Divider, Row, Spacer, Table, TableCell, TableRow, Transition } from "./box";
export { Button, type ButtonProps } from "./button";
export type {
  CallState,
  CardProps,
  CardTexts,
  ListViewItemProps,
  ListViewProps,
  Status,
} from "./card";
export { Card, ListView, ListViewItem } from "./card";
export type {
  CheckboxProps,
  DatePickerProps,
  DatePickerTexts,
  InputProps,
  Option,
  RadioGroupProps,
  SelectProps,
  TextareaProps,
} from "./field";
export { Checkbox, DatePicker, Input, RadioGroup, Select, Textarea } from "./field";
export { Form, type FormProps, type FormValues } from "./form";
export { Icon, type IconLike, type IconProps } from "./icon";
export { Chart, type ChartProps, Image, type ImageProps, type Series } from "./media";
export { Page, type PageProps } from "./root";
export type {
  BadgeProps,
  CaptionProps,
  LabelProps,
  MarkdownProps,
  TextProps,
  TitleProps,
} from "./text";
export { Badge, Caption, Label, Markdown, Text, Title } from "./text";
export type { BlockProps, Color, ControlSize, Length, Line, Sides, Space, TextSize } from "./token";
