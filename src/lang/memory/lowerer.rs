//! The state of the lowering: names, types, and what is known of objects.

use super::layout::{Allocation, Layout, Life, Object, Placed, Room};
use super::regions::{RegionId, Regions};
use super::types::Type;
use crate::lang::lowering::tidy::tidy_at;
use crate::lang::model::Span;
use crate::lang::syntax::{Expr, ExprKind, File, Handle, Item, StructId, TypeName};
use crate::wire::options::{DataModel, EffectiveOptions};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Deepest expression, and most blocks inside one another.
pub(super) const MOST_DEPTH: u16 = 48;

/// What the lowering does not read.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Refused {
    pub(in crate::lang) span: Span,
    pub(in crate::lang) why: String,
    pub(in crate::lang) reason: Reason,
}

/// Why something is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lang) enum Reason {
    /// It is not modelled.
    NotModelled,
    /// A procedure of this name, without a body, is not modelled.
    Procedure,
    /// It is not modelled; this is written instead.
    Instead(&'static str),
    /// It is a mistake: what is named is a number where `scanf` needs an address.
    NoAddress,
}

pub(super) type Lowered<T> = Result<T, Refused>;

/// What a member without a name is called in the new tree.
pub(super) fn unnamed(position: usize) -> String {
    format!("member {}", position + 1)
}

pub(super) fn refuse<T>(span: Span, why: impl Into<String>) -> Lowered<T> {
    Err(Refused { span, why: why.into(), reason: Reason::NotModelled })
}

/// As [`refuse`], of a procedure without a body.
pub(super) fn refuse_procedure<T>(span: Span, name: &str) -> Lowered<T> {
    Err(Refused { span, why: name.to_string(), reason: Reason::Procedure })
}

/// As [`refuse`], and what to write instead.
pub(super) fn refuse_for<T>(
    span: Span,
    why: impl Into<String>,
    instead: &'static str,
) -> Lowered<T> {
    Err(Refused { span, why: why.into(), reason: Reason::Instead(instead) })
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) key: u32,
    pub(super) ty: Type,
    pub(super) region: RegionId,
    pub(super) life: Life,
    pub(super) span: Span,
    pub(super) is_static: bool,
    pub(super) is_global: bool,
    /// Number of blocks around it.
    pub(super) depth: u32,
    /// Is it an array whose length is not constant?
    pub(super) varies: bool,
    /// May nothing be done with it (`argv`)?
    pub(super) closed: bool,
}

/// A procedure's types.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) result: Type,
    pub(super) parameters: Vec<Type>,
    pub(super) has_body: bool,
    pub(super) open_ended: bool,
}

/// A call through a pointer.
#[derive(Clone, Debug)]
pub(super) struct Through {
    pub(super) owner: String,
    pub(super) region: RegionId,
    pub(super) arguments: Vec<Type>,
    pub(super) result: Type,
    pub(super) span: Span,
}

/// A local that ends with its block.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    /// Its flag.
    Flag(u32),
    /// The variable that says where it stands.
    Frame(String),
}

/// A block that is being read.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) names: FxHashMap<String, Variable>,
    /// The objects that end with the block, with their regions.
    pub(super) ends: Vec<(RegionId, Ending)>,
    /// Where `break` and `continue` lead out of.
    pub(super) is_loop: bool,
    pub(super) is_switch: bool,
    /// A procedure's outermost block.
    pub(super) is_body: bool,
}

/// One pass over a program. The first finds regions and objects; the second writes the new tree.
pub(super) struct Lowerer<'f> {
    pub(super) source: &'f str,
    pub(super) file: &'f File,
    pub(super) int: u8,
    pub(super) model: DataModel,
    /// Is memory that is lost an error?
    pub(super) leak: bool,
    /// The line of the one error that counts.
    pub(super) error: Option<u32>,
    /// May the program say how structs are laid out?
    pub(super) packs: bool,
    /// What pointers in memory of bytes, and numbers, may point to.
    pub(super) anything: RegionId,
    /// Are there casts between pointers and numbers?
    pub(super) numbers: bool,
    /// The procedures that the program itself defines.
    pub(super) written: FxHashSet<String>,
    /// Blocks that are written at once, with their sizes.
    pub(super) blocks: Vec<(RegionId, u64)>,
    /// Variables that may hold numbers that are made of addresses.
    pub(super) addresses: FxHashSet<u32>,
    /// Parameters that are memory of bytes: the caller writes there.
    pub(super) by_bytes: FxHashMap<(String, usize), Variable>,
    /// Comparisons of the low half of an address.
    pub(super) low_halves: u32,
    /// Is the value of the assignment that is read next not used?
    pub(super) unwanted: bool,
    /// Were the procedures of `atexit` called for the call of `exit` that is read next?
    pub(super) leaving: bool,
    pub(super) regions: Regions,
    pub(super) layout: Option<Layout>,
    pub(super) scopes: Vec<Scope>,
    pub(super) signatures: FxHashMap<String, Signature>,
    pub(super) fields: FxHashMap<StructId, Vec<(String, Type)>>,
    /// The structs whose members are being read, each for a size in the one before it.
    pub(super) opened: Vec<StructId>,
    /// Globals, by name: they keep their keys.
    pub(super) globals: FxHashMap<String, Variable>,
    pub(super) constants: FxHashMap<String, i128>,
    pub(super) objects: BTreeMap<u32, Object>,
    pub(super) allocations: Vec<Allocation>,
    pub(super) next_key: u32,
    pub(super) next_held: u32,
    /// The procedure that is being read.
    pub(super) owner: String,
    pub(super) result: Type,
    pub(super) has_goto: bool,
    /// Does a label stand before what is read?
    pub(super) passed_label: bool,
    /// Procedures with bodies, by name: their keys and regions.
    pub(super) procedures: FxHashMap<String, (u32, RegionId)>,
    /// The regions that pointers point to, with the procedure and the depth of the block to which
    /// the pointer belongs; `None` for pointers that may live longer than any procedure.
    pub(super) holders: Vec<(RegionId, Option<(String, u32)>)>,
    /// Calls through pointers.
    pub(super) through: Vec<Through>,
    /// Variables of which each thread has one of its own.
    pub(super) per_thread: FxHashSet<u32>,
    /// The procedures in which threads start.
    pub(super) entries: Vec<String>,
    /// By procedure: what it calls.
    pub(super) calls: FxHashMap<String, FxHashSet<String>>,
    /// Regions that the new tree mentions.
    pub(super) used: FxHashSet<RegionId>,
    /// Procedures that the second pass made, by name.
    pub(super) made: BTreeMap<String, Item>,
    /// Values of static objects at the start: slot and value, by region.
    pub(super) initial: BTreeMap<RegionId, Vec<(u32, crate::lang::syntax::Initializer)>>,
}

impl<'f> Lowerer<'f> {
    pub(super) fn new(source: &'f str, file: &'f File, options: &EffectiveOptions) -> Lowerer<'f> {
        let int = options.bits as u8;
        Lowerer {
            source,
            file,
            int,
            model: options.model,
            leak: options.checks.leak,
            error: options.error,
            packs: file.traits.packs,
            anything: RegionId(0),
            numbers: false,
            written: FxHashSet::default(),
            blocks: Vec::new(),
            addresses: FxHashSet::default(),
            by_bytes: FxHashMap::default(),
            low_halves: 0,
            unwanted: false,
            leaving: false,
            regions: Regions::new(int),
            layout: None,
            scopes: Vec::new(),
            signatures: FxHashMap::default(),
            fields: FxHashMap::default(),
            opened: Vec::new(),
            globals: FxHashMap::default(),
            constants: FxHashMap::default(),
            objects: BTreeMap::new(),
            allocations: Vec::new(),
            next_key: 0,
            next_held: 0,
            owner: String::new(),
            result: Type::Void,
            has_goto: false,
            passed_label: false,
            procedures: FxHashMap::default(),
            holders: Vec::new(),
            through: Vec::new(),
            per_thread: FxHashSet::default(),
            entries: Vec::new(),
            calls: FxHashMap::default(),
            used: FxHashSet::default(),
            made: BTreeMap::new(),
            initial: BTreeMap::new(),
        }
    }

    /// Begins the second pass with this layout.
    pub(super) fn restart(&mut self, layout: Layout) {
        self.regions.restart();
        self.layout = Some(layout);
        self.scopes.clear();
        self.signatures.clear();
        self.procedures.clear();
        self.fields.clear();
        self.globals.clear();
        self.constants.clear();
        self.holders.clear();
        self.by_bytes.clear();
        self.low_halves = 0;
        self.next_key = 0;
        self.next_held = 0;
    }

    pub(super) fn key(&mut self) -> u32 {
        self.next_key += 1;
        self.next_key
    }

    pub(super) fn held(&mut self) -> u32 {
        self.next_held += 1;
        self.next_held
    }

    /// The source text of a place, on one line.
    #[inline(always)]
    pub(super) fn text(&self, span: Span) -> String {
        tidy_at(self.source, span)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Variable> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
            .or_else(|| self.globals.get(name))
    }

    /// A type with its pointers and extents; each pointer gets a region.
    pub(super) fn declared(
        &mut self,
        base: TypeName,
        pointers: u32,
        dimensions: &[Option<Expr>],
        span: Span,
    ) -> Lowered<Type> {
        let mut ty = match base {
            TypeName::Void => Type::Void,
            TypeName::Struct(id) => Type::Struct(id),
            TypeName::Handle(Handle::Mutex) => Type::Scalar(base),
            TypeName::Handle(_) | TypeName::Poisoned => Type::Other(base),
            TypeName::Procedure(number) => {
                let file = self.file;
                let Some(result) = file.procedure_types.get(number as usize) else {
                    return refuse(span, "this type of procedures");
                };
                let result = self.declared(result.type_name, result.pointers, &[], span)?;
                Type::Procedure(Box::new(result))
            }
            TypeName::Array(number) => {
                let file = self.file;
                let Some(array) = file.array_types.get(number as usize) else {
                    return refuse(span, "this type of arrays");
                };
                // An array type's number is above those of the types of which it is made.
                self.declared(array.type_name, array.pointers, &array.dimensions, span)?
            }
            name => Type::Scalar(name),
        };
        for _ in 0..pointers.min(8) {
            ty = self.pointer_to(ty);
        }
        for dimension in dimensions.iter().rev() {
            let Some(e) = dimension else {
                ty = Type::Array(Box::new(ty), 0);
                continue;
            };
            let count = self.constant(e).and_then(|n| u32::try_from(n).ok());
            match count {
                Some(count @ 0..=4096) => ty = Type::Array(Box::new(ty), count),
                _ => {
                    let why = "an array whose size is no constant up to 4096";
                    return refuse_for(e.span, why, "write the size as a constant, at most 4096");
                }
            }
        }
        Ok(ty)
    }

    /// A pointer to this type, with a new region.
    pub(super) fn pointer_to(&mut self, ty: Type) -> Type {
        let region = self.regions.fresh();
        self.regions.hold(region, &ty);
        Type::Pointer(Box::new(ty), region)
    }

    /// The members of a struct.
    pub(super) fn members(&mut self, id: StructId, span: Span) -> Lowered<Vec<(String, Type)>> {
        if let Some(known) = self.fields.get(&id) {
            return Ok(known.clone());
        }
        // An array in it may be as long as its own size.
        if self.opened.contains(&id) || self.opened.len() > usize::from(MOST_DEPTH) {
            return refuse(span, "a size that depends on itself");
        }
        self.opened.push(id);
        let members = self.new_members(id, span);
        self.opened.pop();
        let members = members?;
        for (_, ty) in &members {
            self.hold_longer(ty);
        }
        self.fields.insert(id, members.clone());
        Ok(members)
    }

    fn new_members(&mut self, id: StructId, span: Span) -> Lowered<Vec<(String, Type)>> {
        let file = self.file;
        let Some(fields) = file.structs.get(id.0 as usize).and_then(|s| s.fields.as_ref()) else {
            return refuse(span, "a struct whose members are not known");
        };
        let mut members = Vec::with_capacity(fields.len());
        for field in fields {
            let ty =
                self.declared(field.type_name, field.pointers, &field.dimensions, field.span)?;
            members.push((field.name.text.clone(), ty));
        }
        Ok(members)
    }

    pub(super) fn member(&mut self, id: StructId, name: &str, span: Span) -> Lowered<Type> {
        let path = self.path_to(id, name, span)?;
        Ok(path.last().map_or(Type::Void, |(_, ty)| ty.clone()))
    }

    /// The members that lead to a member: first those without a name.
    pub(super) fn path_to(
        &mut self,
        id: StructId,
        name: &str,
        span: Span,
    ) -> Lowered<Vec<(String, Type)>> {
        match self.path_within(id, name, span, 0)? {
            Some(path) => Ok(path),
            None => refuse(span, format!("there is no member `{name}`")),
        }
    }

    fn path_within(
        &mut self,
        id: StructId,
        name: &str,
        span: Span,
        depth: u32,
    ) -> Lowered<Option<Vec<(String, Type)>>> {
        let members = self.members(id, span)?;
        if let Some((known, ty)) = members.iter().find(|(known, _)| known == name) {
            return Ok(Some(vec![(known.clone(), ty.clone())]));
        }
        for (position, (known, ty)) in members.iter().enumerate() {
            let (true, Type::Struct(inner)) = (known.is_empty() && depth < 16, ty) else {
                continue;
            };
            if let Some(mut path) = self.path_within(*inner, name, span, depth + 1)? {
                path.insert(0, (unnamed(position), ty.clone()));
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Pointers of this type may live longer than any procedure.
    pub(super) fn hold_longer(&mut self, ty: &Type) {
        if let Type::Pointer(_, region) = ty.element() {
            self.holders.push((*region, None));
        }
    }

    /// After the first pass: which locals may be gone while a pointer to them is left?
    pub(super) fn find_left(&mut self) {
        let mut longer: FxHashSet<RegionId> = FxHashSet::default();
        for root in self.regions.roots() {
            if let Some(Type::Pointer(_, region)) = self.regions.element(root) {
                longer.insert(self.regions.find(*region));
            }
        }
        let mut locals: FxHashMap<RegionId, Vec<(&str, u32)>> = FxHashMap::default();
        for (region, of) in &self.holders {
            let root = self.regions.find(*region);
            match of {
                None => {
                    longer.insert(root);
                }
                Some((owner, depth)) => locals.entry(root).or_default().push((owner, *depth)),
            }
        }
        for object in self.objects.values_mut().filter(|o| o.life == Life::Block) {
            let root = self.regions.find(object.region);
            let outlived = locals.get(&root).is_some_and(|list| {
                list.iter().any(|(owner, depth)| {
                    object.owner.as_deref() == Some(*owner) && *depth < object.depth
                })
            });
            if outlived || longer.contains(&root) {
                object.life = Life::Left;
            }
        }
    }

    /// The room of a region; in the first pass there is none.
    pub(super) fn room(&mut self, region: RegionId) -> Option<&Room> {
        let root = self.regions.find(region);
        self.layout.as_ref()?;
        self.used.insert(root);
        self.layout.as_ref()?.rooms.get(&root)
    }

    /// The type that a value of this type has in the new tree.
    pub(super) fn written_type(&mut self, ty: &Type) -> TypeName {
        match ty {
            Type::Scalar(name) | Type::Other(name) => *name,
            Type::Struct(id) => TypeName::Struct(*id),
            Type::Pointer(_, region) => {
                let root = self.regions.find(*region);
                let room = self.layout.as_ref().and_then(|layout| layout.rooms.get(&root));
                room.map_or(TypeName::Exact { width: 1, signed: false }, Room::pointer)
            }
            Type::Array(inner, _) => self.written_type(inner),
            Type::Null => TypeName::Exact { width: 1, signed: false },
            Type::Void | Type::Procedure(_) => TypeName::Void,
        }
    }

    /// The value of a pointer of this type that has none yet; `None` for any number.
    pub(super) fn invalid(&self, region: RegionId) -> Option<u64> {
        let root = self.regions.find(region);
        let room = self.layout.as_ref().and_then(|layout| layout.rooms.get(&root));
        match room {
            Some(room) if room.numeric => None,
            Some(room) => Some(room.invalid()),
            None => Some(1),
        }
    }

    /// Where the object of a variable stands; `None` if no pointer can point to it.
    pub(super) fn placed(&self, key: u32) -> Option<Placed> {
        self.layout.as_ref()?.places.get(&key).copied()
    }

    /// The variable's address is taken.
    pub(super) fn address_variable(&mut self, name: &str, variable: &Variable) -> Lowered<()> {
        if variable.closed {
            return refuse(variable.span, "this use of the command line's arguments");
        }
        if matches!(variable.ty.element(), Type::Other(_)) {
            return refuse(variable.span, "an address of a thread or a file");
        }
        if self.per_thread.contains(&variable.key) {
            return refuse(variable.span, "an address of a variable of each thread");
        }
        let element = variable.ty.element().clone();
        self.regions.hold(variable.region, &element);
        if matches!(variable.ty, Type::Array(..)) {
            self.regions.walk(variable.region);
        }
        let object = Object {
            region: variable.region,
            slots: variable.ty.elements(),
            dimensions: variable.ty.extents(),
            bytes: self.bytes(&variable.ty),
            varies: variable.varies,
            // A text of the library may be longer than it is here.
            open: name.ends_with("_text") && !self.is_written(&self.owner) && variable.is_static,
            life: if variable.is_static { Life::Whole } else { variable.life },
            in_frames: false,
            owner: (!variable.is_global && !variable.is_static).then(|| self.owner.clone()),
            depth: variable.depth,
            name: name.to_string(),
            span: variable.span,
            text: Vec::new(),
        };
        self.objects.entry(variable.key).or_insert(object);
        Ok(())
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, e: &Expr) -> Option<i128> {
        use crate::lang::syntax::{BinaryOp, UnaryOp};
        if e.depth > MOST_DEPTH {
            return None;
        }
        match &e.kind {
            ExprKind::Number(n, _) | ExprKind::Exactly(n, _) => Some(i128::from(*n)),
            ExprKind::Truth(b) => Some(i128::from(*b)),
            ExprKind::Name(name) if self.find(name).is_none() => self.constants.get(name).copied(),
            ExprKind::Cast(TypeName::Integer { .. } | TypeName::Exact { .. }, inner) => {
                self.constant(inner).or_else(|| self.offset_in(inner).map(i128::from))
            }
            ExprKind::Unary(UnaryOp::Plus, inner) => self.constant(inner),
            ExprKind::Unary(UnaryOp::Minus, inner) => self.constant(inner).map(|n| -n),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide => left.checked_div(right),
                    BinaryOp::ShiftLeft if (0..64).contains(&right) => {
                        left.checked_mul(1i128 << right)
                    }
                    _ => None,
                }
            }
            ExprKind::SizeOf(_) | ExprKind::SizeOfType(..) | ExprKind::SizeOfPointer => {
                self.size_of(e).ok().map(i128::from)
            }
            _ => None,
        }
    }
}
