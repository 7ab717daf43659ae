//! Objects and arrays (JLS 15.10, 15.11, 15.16, 15.20).

use super::code::{Op, TypeId};
use super::heap::{Cell, Elements};
use super::value::{Kind, NULL, Value};
use super::{Done, Limit, Machine, Stop, throw, throw_bare};
use crate::typed::{ClassId, Type};

impl Machine<'_> {
    pub(super) fn object_operation(&mut self, op: Op) -> Done {
        match op {
            Op::Text(text) => {
                let value = self.literal(text);
                self.push(value);
            }
            Op::Field(place) => {
                let object = self.pop().reference();
                match self.state.heap.get(object) {
                    Cell::Object(_, fields) => {
                        let value = fields.get(place as usize).copied().unwrap_or(NULL);
                        self.push(value);
                    }
                    _ => return throw_bare("NullPointerException"),
                }
            }
            Op::SetField(place) => {
                let (value, object) = (self.pop(), self.pop().reference());
                match self.state.heap.get_mut(object) {
                    Some(Cell::Object(_, fields)) => {
                        if let Some(field) = fields.get_mut(place as usize) {
                            *field = value;
                        }
                    }
                    _ => return throw_bare("NullPointerException"),
                }
            }
            Op::Length => {
                let array = self.pop();
                let length = self.elements(array)?.len();
                self.push(Value::Int(length as i32));
            }
            Op::Element => {
                let (index, array) = (self.pop().int(), self.pop());
                let elements = self.elements(array)?;
                match usize::try_from(index).ok().and_then(|at| elements.get(at)) {
                    Some(value) => self.push(value),
                    None => return outside(index, elements.len()),
                }
            }
            Op::SetElement => {
                let value = self.pop();
                let (index, array) = (self.pop().int(), self.pop());
                self.set_element(array, index, value)?;
            }
            Op::New(class) => {
                let object = self.new_object(class);
                self.push(object);
            }
            Op::NewArray(ty, count) => self.new_arrays(ty, count)?,
            Op::ArrayOf(ty, count) => {
                let from = self.state.stack.len().saturating_sub(count as usize);
                let values = self.state.stack.split_off(from);
                let mut elements = Elements::new(self.element_kind(ty), values.len());
                for (at, value) in values.into_iter().enumerate() {
                    elements.set(at, value);
                }
                let array = self.state.heap.add(Cell::Array(ty, elements));
                self.push(array);
            }
            Op::Cast(ty) => {
                let object = self.state.stack.last().copied().unwrap_or(NULL);
                if object != NULL && !self.is_a(object, ty) {
                    let message = self.no_cast(object, ty);
                    return throw("ClassCastException", message);
                }
            }
            Op::InstanceOf(ty) => {
                let object = self.pop();
                let is = object != NULL && self.is_a(object, ty);
                self.push(is.into());
            }
            Op::Show(kind) => self.show(kind),
            Op::Join(count) => self.join(count)?,
            Op::Enumerated(class, number) => {
                let constant = self.constant(class, number);
                self.push(Value::Reference(constant));
            }
            Op::Constants(class, ty) => {
                let names = &self.program.classes[class.index()].constants;
                let count = names.as_ref().map_or(0, Vec::len) as u32;
                let list = (0..count).map(|k| self.constant(class, k)).collect();
                let array = self.state.heap.add(Cell::Array(ty, Elements::Reference(list)));
                self.push(array);
            }
            Op::Ordinal => {
                let constant = self.pop();
                match self.ordinal(constant) {
                    Some((_, number)) => self.push(Value::Int(number)),
                    None => return throw_bare("NullPointerException"),
                }
            }
            Op::Position(list) => self.position(list)?,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn new_object(&mut self, class: ClassId) -> Value {
        let cell = match self.builders.contains(&Some(class)) {
            true => Cell::Builder(class, Vec::new()),
            false => Cell::Object(class, self.code.layouts[class.index()].clone().into()),
        };
        self.state.heap.add(cell)
    }

    /// A constant of an enumeration: all are made when the first is asked for.
    fn constant(&mut self, class: ClassId, number: u32) -> u32 {
        if let Some(known) = self.state.constants.get(&(class, number)) {
            return *known;
        }
        let mut fields = self.code.layouts[class.index()].clone();
        if let Some(last) = fields.last_mut() {
            *last = Value::Int(number as i32);
        }
        let made = self.state.heap.add(Cell::Object(class, fields.into())).reference();
        self.state.constants.insert((class, number), made);
        made
    }

    /// The class and the number of a constant of an enumeration.
    pub(super) fn ordinal(&self, constant: Value) -> Option<(ClassId, i32)> {
        match self.state.heap.get(constant.reference()) {
            Cell::Object(class, fields) => Some((*class, fields.last()?.int())),
            _ => None,
        }
    }

    fn literal(&mut self, text: u32) -> Value {
        if let Some(known) = self.state.literals.get(&text) {
            return Value::Reference(*known);
        }
        let value = self.state.heap.text(&self.code.texts[text as usize]);
        self.state.literals.insert(text, value.reference());
        value
    }

    pub(super) fn elements(&self, array: Value) -> Done<&Elements> {
        match self.state.heap.get(array.reference()) {
            Cell::Array(_, elements) => Ok(elements),
            _ => throw_bare("NullPointerException"),
        }
    }

    pub(super) fn element_kind(&self, array: TypeId) -> Kind {
        match &self.code.types[array.0 as usize] {
            Type::Array(element) => Kind::of(element),
            _ => Kind::Reference,
        }
    }

    pub(super) fn set_element(&mut self, array: Value, index: i32, value: Value) -> Done {
        let length = self.elements(array)?.len();
        if usize::try_from(index).is_ok_and(|at| at < length)
            && let Cell::Array(ty, Elements::Reference(_)) = self.state.heap.get(array.reference())
            && value != NULL
            && let Type::Array(element) = &self.code.types[ty.0 as usize]
            && !self.fits(value, element)
        {
            return throw("ArrayStoreException", self.name_of(value));
        }
        let is_set = match self.state.heap.get_mut(array.reference()) {
            Some(Cell::Array(_, elements)) => {
                usize::try_from(index).is_ok_and(|at| elements.set(at, value))
            }
            _ => false,
        };
        if is_set { Ok(()) } else { outside(index, length) }
    }

    /// An array; each element an array of the next length, and so on.
    fn new_arrays(&mut self, ty: TypeId, count: u32) -> Done {
        let from = self.state.stack.len().saturating_sub(count as usize);
        let lengths: Vec<i32> = self.state.stack.split_off(from).iter().map(|v| v.int()).collect();
        if let Some(negative) = lengths.iter().find(|length| **length < 0) {
            return throw("NegativeArraySizeException", negative.to_string());
        }
        let cells: u64 = lengths.iter().fold(1, |all, n| all.saturating_mul(*n as u64));
        if cells.saturating_mul(2) > self.limits.memory.saturating_mul(2) {
            return Err(Stop::Limit(Limit::Memory));
        }
        let array = self.new_array(ty, &lengths)?;
        self.push(array);
        Ok(())
    }

    fn new_array(&mut self, ty: TypeId, lengths: &[i32]) -> Done<Value> {
        let Some((length, rest)) = lengths.split_first() else { return Ok(NULL) };
        let kind = self.element_kind(ty);
        let bytes = Elements::bytes(kind, *length as u64);
        if self.state.heap.bytes().saturating_add(bytes) > self.limits.memory.saturating_mul(2) {
            return Err(Stop::Limit(Limit::Memory));
        }
        let mut elements = Elements::new(kind, *length as usize);
        if !rest.is_empty() {
            let inner = self.inner_type(ty);
            for at in 0..*length as usize {
                let element = self.new_array(inner, rest)?;
                elements.set(at, element);
            }
        }
        Ok(self.state.heap.add(Cell::Array(ty, elements)))
    }

    fn inner_type(&self, ty: TypeId) -> TypeId {
        let Type::Array(element) = &self.code.types[ty.0 as usize] else { return ty };
        let found = self.code.types.iter().position(|known| known == &**element);
        found.map_or(ty, |k| TypeId(k as u32))
    }

    /// Is an object one of this type?
    pub(super) fn is_a(&self, object: Value, ty: TypeId) -> bool {
        self.fits(object, &self.code.types[ty.0 as usize])
    }

    fn fits(&self, object: Value, ty: &Type) -> bool {
        match (self.state.heap.get(object.reference()), ty) {
            (_, Type::Class(class)) if *class == self.program.object => true,
            (Cell::Object(class, _) | Cell::Builder(class, _), Type::Class(other)) => {
                self.program.is_below(*class, *other)
            }
            (Cell::Text(_), Type::String) => true,
            (Cell::Text(_), Type::Class(other)) => {
                self.known.get("String").is_some_and(|s| self.program.is_below(*s, *other))
            }
            (Cell::Array(own, _), ty) => self.is_array_of(&self.code.types[own.0 as usize], ty),
            _ => false,
        }
    }

    fn is_array_of(&self, own: &Type, ty: &Type) -> bool {
        match (own, ty) {
            _ if own == ty => true,
            (Type::Array(own), Type::Array(ty)) => self.is_array_of(own, ty),
            (own, Type::Class(class)) if *class == self.program.object => own.is_reference(),
            (Type::Class(own), Type::Class(other)) => self.program.is_below(*own, *other),
            (Type::String, Type::Class(other)) => {
                self.known.get("String").is_some_and(|s| self.program.is_below(*s, *other))
            }
            _ => false,
        }
    }

    /// The name of an object's class, as `getClass().getName()` says it.
    pub(super) fn name_of(&self, object: Value) -> String {
        match self.state.heap.get(object.reference()) {
            Cell::Array(ty, _) => self.name_of_type(&self.code.types[ty.0 as usize]),
            _ => match self.class_of(object) {
                Some(class) => self.program.classes[class.index()].full_name(),
                None => "null".to_string(),
            },
        }
    }

    pub(super) fn name_of_type(&self, ty: &Type) -> String {
        let element = |ty: &Type| match ty {
            Type::Boolean => "Z".to_string(),
            Type::Byte => "B".to_string(),
            Type::Short => "S".to_string(),
            Type::Char => "C".to_string(),
            Type::Int => "I".to_string(),
            Type::Long => "J".to_string(),
            Type::Float => "F".to_string(),
            Type::Double => "D".to_string(),
            Type::Array(_) => self.name_of_type(ty),
            other => format!("L{};", self.name_of_type(other)),
        };
        match ty {
            Type::Array(inner) => format!("[{}", element(inner)),
            Type::String => "java.lang.String".to_string(),
            Type::Class(class) => self.program.classes[class.index()].full_name(),
            other => element(other),
        }
    }

    fn no_cast(&self, object: Value, ty: TypeId) -> String {
        let ty = &self.code.types[ty.0 as usize];
        let (from, to) = (self.name_of(object), self.name_of_type(ty));
        let own = match self.state.heap.get(object.reference()) {
            Cell::Array(own, _) => self.is_of_library(&self.code.types[own.0 as usize]),
            _ => self.class_of(object).is_none_or(|c| self.is_of_library(&Type::Class(c))),
        };
        let module = |is_library: bool| match is_library {
            true => "module java.base of loader 'bootstrap'",
            false => "unnamed module of loader 'app'",
        };
        let (one, other) = (module(own), module(self.is_of_library(ty)));
        match one == other {
            true => {
                format!("class {from} cannot be cast to class {to} ({from} and {to} are in {one})")
            }
            false => format!(
                "class {from} cannot be cast to class {to} ({from} is in {one}; {to} is in {other})"
            ),
        }
    }

    fn is_of_library(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element) => self.is_of_library(element),
            Type::Class(class) => self.program.classes[class.index()].is_library,
            _ => true,
        }
    }
}

fn outside<T>(index: i32, length: usize) -> Done<T> {
    let message = format!("Index {index} out of bounds for length {length}");
    throw("ArrayIndexOutOfBoundsException", message)
}
